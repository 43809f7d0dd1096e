/** Any text log: every line is offered to the line formats, then read as a message or a setting. @module */
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { LogReader, type TextRole } from "./text/log_reader.ts";
import { eachLine } from "./source/lines.ts";

/** A line longer than this is no log line (16 Mi characters: 10^6 columns fit). */
const MAX_LINE = 1 << 24;

/** What a text file is for, by its name. */
export function textRole(name: string): TextRole {
  if (/^(completions?|samples?|generations?|rollouts?)\b.*\.(txt|log|md)$/.test(name)) return "completions";
  if (name.endsWith(".py")) return "script";
  if (/\.(sh|bash|slurm|sbatch|cfg|ini|args|toml|env)$/.test(name)) return "configuration";
  if (/(^|[._-])(config|args|training_args|launch|command|flags|settings|params)([._-]|$)/.test(name)) {
    return "configuration";
  }
  return "log";
}

export const CONSOLE: Adapter = {
  about: "any text: console logs, JSON lines of metrics, pasted tables, launch scripts, key: value files",
  sniff: (_, text) => text === null ? 0 : 0.1,
  async read(source: Source, intake: Intake) {
    const reader = new LogReader(intake, textRole(source.name));
    await eachLine(source, intake, (line) => void reader.take(line), { longest: MAX_LINE, bars: true });
    reader.end();
  },
};
