/** Which program of Visual-RFT, VLM-R1 or R1-V a command of a launch script starts. @module */
import { visualScript } from "../../data/adapters/run/visual_scripts.ts";
import type { Variables } from "./shell_expansion.ts";
import type { Command } from "./shell_words.ts";
import type { ForeignSystem } from "./written.ts";

interface VisualProgram {
  readonly system: ForeignSystem;
  /** What its entry script trains, as `TRAINERS` calls it. */
  readonly trainer: string;
  /** What is to be told of the script, or null. */
  readonly note: string | null;
}

/**
 * Which of them a command starts; null where it is another program.
 *
 * command     its words, the program's name at `at`
 * variables   of the script around it: paths that it does not use itself name the system too
 */
export function visualProgram(command: Command, at: number, variables: Variables): VisualProgram | null {
  const path = command[at]!.text, script = /(\w+)\.py$/.exec(path)?.[1] ?? "";
  const flags = command.map(({ text }) => text).filter((text) => text.startsWith("--"));
  const found = visualScript({
    script: path,
    options: new Set(flags.map((text) => text.slice(2).replace(/=.*$/s, "").replaceAll("-", "_"))),
    words: [...command.map(({ text }) => text), ...[...variables.values()].flat()].join("\n"),
  });
  if (found === null) return null;
  const isMissing = script === "grpo_gui_grounding_lisa" && found.system === "visual-rft";
  const note = isMissing
    ? `Visual-RFT has no ${script}.py, which 2B_lisa_grounding.sh names: read as ${found.trainer}.py`
    : null;
  return { ...found, note };
}
