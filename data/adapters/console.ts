/** Any text log: every line is offered to the line formats, then read as a message or a setting. @module */
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { CompletionText } from "./prose/completion_text.ts";
import { readMarks, readMessage } from "./prose/messages.ts";
import { eachLine, type Line } from "./source/lines.ts";
import { plainPunctuation, stripAnsi } from "./source/text.ts";
import { readFlags, readKeyValue } from "./prose/flags.ts";
import type { LineReader } from "./lines/line_format.ts";
import { LINE_FORMATS } from "./lines/mod.ts";

/** A line longer than this is no log line (16 Mi characters: 10^6 columns fit). */
const MAX_LINE = 1 << 24;
const MAX_PLAIN = 50_000;
/** Hydra's overrides, as a program is started with them, or on a line of a command that goes on. */
const OVERRIDES =
  /\bpython[\d.]*\s.*\s[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S|^\s*[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S*\s*\\\s*$/;
const VERSION =
  /\b(trl|transformers|torch|vllm|peft|verl|unsloth|deepspeed|ms-swift|swift|openrlhf|llamafactory|accelerate)\s*(?:==|[=:@]|version)?\s*v?(\d+\.\d+[\w.+-]*)/gi;

/** What a text file is for, by its name: it decides what an unknown `key: value` is. */
type TextRole = "log" | "configuration" | "completions" | "script";

export function textRole(name: string): TextRole {
  if (/^(completions?|samples?|generations?|rollouts?)\b.*\.(txt|log|md)$/.test(name)) return "completions";
  if (name.endsWith(".py")) return "script";
  if (/\.(sh|bash|slurm|sbatch|cfg|ini|args|toml|env)$/.test(name)) return "configuration";
  if (/(^|[._-])(config|args|training_args|launch|command|flags|settings|params)([._-]|$)/.test(name)) {
    return "configuration";
  }
  return "log";
}

/** A value of one digit, or of zeros only, that ends the text. */
const HALF_NUMBER = /[:=]\s*-?(?:\d|0?\.0*)$/;

/** Reads the lines of one text. */
class LogReader {
  readonly #readers: LineReader[];
  readonly #dict: LineReader;
  readonly #verl: LineReader;
  readonly #texts: CompletionText;
  /** Open keys of a nested configuration, by indentation. */
  #parents: { indent: number; name: string }[] = [];

  constructor(private readonly intake: Intake, private readonly role: TextRole) {
    this.#texts = new CompletionText(intake);
    const readers = new Map(Object.entries(LINE_FORMATS).map(([name, format]) => [name, format.open(intake)]));
    this.#dict = readers.get("trl_dict")!;
    this.#verl = readers.get("verl")!;
    if (role !== "log") readers.delete("key_value");
    this.#readers = [...readers.values()];
  }

  take({ text, number, ended }: Line): void {
    if (text.charCodeAt(text.length - 1) === 13) text = text.slice(0, -1);
    if (!text.includes("\r")) return this.#part(text, number, ended);
    // A progress bar draws over itself: every state is a line of its own, the last one may be a record.
    const parts = text.split("\r");
    parts.forEach((part, i) => this.#part(part, number, ended || i < parts.length - 1));
  }

  end(): void {
    for (const reader of this.#readers) reader.end();
    this.#texts.end();
  }

  #part(raw: string, number: number, ended: boolean): void {
    const text = plainPunctuation(stripAnsi(raw));
    if (text === "") return;
    const line = { text, number, ended };
    if (text.charCodeAt(0) === 123 && this.#dict.line(line)) return;
    if (text.includes("%|")) this.intake.records.progress.line(text);
    if (text.length > MAX_PLAIN) {
      // Only records are this long; everything else would be searched for patterns in vain.
      if (this.#dict.line(line) || this.#verl.line(line)) return;
      return this.intake.skip(number, `a line longer than ${MAX_PLAIN} characters without a record`);
    }
    for (const reader of this.#readers) if (reader.line(line)) return;
    // "learning_rate: 0" at the very end of a file may be half of 0.0001.
    if (!ended && this.role === "configuration" && HALF_NUMBER.test(text)) {
      return this.intake.skip(number, "a setting that may be cut off at the end of the file");
    }
    if (text.trim() !== "") this.#prose(text, number);
  }

  /** A line that is no record. */
  #prose(text: string, number: number): void {
    readMarks(this.intake, text);
    if (this.role === "completions") this.#texts.add(text, number);
    else if (this.role === "script") {
      readFlags(this.intake, withoutComment(text).replace(/[(),]/g, " "), number, false);
    } else if (this.role === "configuration") this.#configuration(withoutComment(text), number);
    else this.#log(text, number);
  }

  #log(text: string, number: number): void {
    readMessage(this.intake, text, number);
    if (/ --\w[\w.-]*[ =].* --\w|^\s*--\w[\w.-]+([ =]\S|\s*\\)/.test(text) || OVERRIDES.test(text)) {
      readFlags(this.intake, text, number, false);
    } else if (text.includes("(") && /\b(?:Namespace|\w+Config|\w+Arguments)\(/.test(text)) {
      readFlags(this.intake, text.replace(/[()]/g, " "), number, true);
    } else if (text.length < 400) readKeyValue(this.intake, text, number, false);
  }

  #configuration(text: string, number: number): void {
    const intake = this.intake, isCode = /^\s*(def|class|import|from|if|for|return|print)\b/.test(text);
    let taken = readMessage(intake, text, number);
    for (const [, name, version] of text.matchAll(VERSION)) {
      intake.setting(`version.${name!.toLowerCase()}`, version!.replace(/\.$/, ""), "string", number, 1);
      taken = true;
    }
    if (readFlags(intake, text, number, true) > 0 || taken || !isCode && this.#nested(text, number)) return;
    if (text.trim().length > 3) intake.message("note", text, null, number);
  }

  /** `key: value` below `parent:` is `parent.key`, as in YAML. */
  #nested(text: string, number: number): boolean {
    const indent = text.length - text.trimStart().length;
    while (this.#parents.length > 0 && this.#parents.at(-1)!.indent >= indent) this.#parents.pop();
    const open = /^\s*([A-Za-z_][\w.-]*)\s*:\s*$/.exec(text);
    const parent = this.#parents.map(({ name }) => `${name}.`).join("");
    if (open !== null) {
      this.#parents.push({ indent, name: open[1]! });
      return true;
    }
    return readKeyValue(this.intake, text, number, true, parent);
  }
}

/** A comment is nobody's message. */
function withoutComment(text: string): string {
  return text.replace(/(^|\s)#.*$/, "");
}

export const CONSOLE: Adapter = {
  about: "any text: console logs, JSON lines of metrics, pasted tables, launch scripts, key: value files",
  sniff: (_, text) => text === null ? 0 : 0.1,
  async read(source: Source, intake: Intake) {
    const reader = new LogReader(intake, textRole(source.name));
    await eachLine(source, intake, (line) => reader.take(line), { longest: MAX_LINE, bars: true });
    reader.end();
  },
};
