/**
 * Any text log: every line is offered to the line formats, then read as a message or a setting.
 * @module
 */
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { CompletionText } from "./prose/completion_text.ts";
import { readMarks, readMessage } from "./prose/messages.ts";
import { encodingOf, plainPunctuation, stripAnsi, textChunks } from "./source/text.ts";
import { readFlags, readKeyValue } from "./prose/flags.ts";
import type { LineReader } from "./lines/line_format.ts";
import { LINE_FORMATS } from "./lines/mod.ts";

/** A line longer than this is no log line (16 Mi characters: 10^6 columns fit). */
const MAX_LINE = 1 << 24;
const MAX_PLAIN = 50_000;
const VERSION =
  /\b(trl|transformers|torch|vllm|peft|verl|unsloth|deepspeed|ms-swift|swift|openrlhf|llamafactory|accelerate)\s*(?:==|[=:@]|version)?\s*v?(\d+\.\d+[\w.+-]*)/gi;

/** What a text file is for, by its name: it decides what an unknown `key: value` is. */
export type TextRole = "log" | "configuration" | "completions" | "script";

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
export class LineFeed {
  readonly #intake: Intake;
  readonly #role: TextRole;
  readonly #readers: LineReader[];
  readonly #dict: LineReader;
  readonly #verl: LineReader;
  #number = 0;
  #held = "";
  readonly #texts: CompletionText;
  /** Open keys of a nested configuration, by indentation. */
  #parents: { indent: number; name: string }[] = [];

  constructor(intake: Intake, role: TextRole) {
    this.#intake = intake;
    this.#texts = new CompletionText(intake);
    this.#role = role;
    const readers = new Map(Object.entries(LINE_FORMATS).map(([name, format]) => [name, format.open(intake)]));
    this.#dict = readers.get("python_dict")!;
    this.#verl = readers.get("verl")!;
    if (role !== "log") readers.delete("key_value");
    this.#readers = [...readers.values()];
  }

  /** Takes the next piece of text. */
  feed(text: string): void {
    let from = 0;
    if (this.#held !== "") {
      const first = text.indexOf("\n");
      if (first < 0) {
        if (this.#held.length + text.length > MAX_LINE) return this.#overlong();
        this.#held += text;
        return;
      }
      this.#line(this.#held + text.slice(0, first), true);
      this.#held = "";
      from = first + 1;
    }
    for (let end = text.indexOf("\n", from); end >= 0; end = text.indexOf("\n", from)) {
      this.#line(text.slice(from, end), true);
      from = end + 1;
    }
    this.#held = text.slice(from);
  }

  end(): void {
    if (this.#held !== "") this.#line(this.#held, false);
    this.#held = "";
    for (const reader of this.#readers) reader.end();
    this.#texts.end();
  }

  #overlong(): void {
    this.#intake.skip(this.#number + 1, `a line longer than ${MAX_LINE} characters`);
    this.#held = "";
  }

  #line(text: string, ended: boolean): void {
    this.#number++;
    if (text.charCodeAt(text.length - 1) === 13) text = text.slice(0, -1);
    if (text === "") return;
    if (text.includes("\r")) {
      // A progress bar draws over itself: every state is a line of its own, the last one may be a record.
      const parts = text.split("\r");
      parts.forEach((part, i) => this.#part(part, ended || i < parts.length - 1));
    } else this.#part(text, ended);
  }

  #part(raw: string, ended: boolean): void {
    const text = plainPunctuation(stripAnsi(raw));
    if (text === "") return;
    const line = { text, number: this.#number, ended };
    if (text.charCodeAt(0) === 123 && this.#dict.line(line)) return;
    if (text.length > MAX_PLAIN) {
      // Only records are this long; everything else would be searched for patterns in vain.
      if (!this.#dict.line(line) && !this.#verl.line(line)) {
        this.#intake.skip(this.#number, `a line longer than ${MAX_PLAIN} characters without a record`);
      }
      return;
    }
    for (const reader of this.#readers) if (reader.line(line)) return;
    // "learning_rate: 0" at the very end of a file may be half of 0.0001.
    if (!ended && this.#role === "configuration" && HALF_NUMBER.test(text)) {
      this.#intake.skip(this.#number, "a setting that may be cut off at the end of the file");
      return;
    }
    this.#other(text);
  }

  #other(text: string): void {
    const { length } = text;
    if (text.trim() === "") return;
    const intake = this.#intake, number = this.#number, config = this.#role === "configuration";
    readMarks(intake, text);
    if (this.#role === "completions") {
      this.#texts.add(text, number);
      return;
    }
    if (this.#role === "script") {
      readFlags(intake, text.replace(/(^|\s)#.*$/, "").replace(/[(),]/g, " "), number, false);
      return;
    }
    const body = config ? text.replace(/(^|\s)#.*$/, "") : text; // a comment is nobody's message
    let taken = readMessage(intake, body, number);
    if (config) {
      for (const [, name, version] of body.matchAll(VERSION)) {
        intake.setting(`version.${name!.toLowerCase()}`, version!.replace(/\.$/, ""), "string", number, 1);
        taken = true;
      }
    }
    if (config || / --\w[\w.-]*[ =].* --\w|^\s*--\w[\w.-]+([ =]\S|\s*\\)/.test(body)) {
      if (readFlags(intake, body, number, config) > 0) taken = true;
      else if (config && !/^\s*(def|class|import|from|if|for|return|print)\b/.test(body)) {
        if (!taken && this.#nested(body)) taken = true;
      }
    } else if (/\b(?:Namespace|\w+Config|\w+Arguments)\(/.test(body)) {
      readFlags(intake, body.replace(/[()]/g, " "), number, true);
    } else if (length < 400 && readKeyValue(intake, body, number, false)) taken = true;
    if (config && !taken && body.trim() !== "" && body.trim().length > 3) intake.message("note", body, null, number);
  }

  /** `key: value` below `parent:` is `parent.key`, as in YAML. */
  #nested(text: string): boolean {
    const indent = text.length - text.trimStart().length;
    while (this.#parents.length > 0 && this.#parents.at(-1)!.indent >= indent) this.#parents.pop();
    const open = /^\s*([A-Za-z_][\w.-]*)\s*:\s*$/.exec(text);
    const parent = this.#parents.map(({ name }) => `${name}.`).join("");
    if (open !== null) {
      this.#parents.push({ indent, name: open[1]! });
      return true;
    }
    return readKeyValue(this.#intake, text, this.#number, true, parent);
  }
}

export const CONSOLE: Adapter = {
  about: "any text: console logs, JSON lines of metrics, pasted tables, launch scripts, key: value files",
  sniff: (_, text) => text === null ? 0 : 0.1,
  async read(source: Source, intake: Intake) {
    const feed = new LineFeed(intake, textRole(source.name));
    const record = intake.source;
    const count = async function* () {
      for await (const chunk of source.chunks()) {
        record.bytes_read += chunk.length;
        yield chunk;
      }
    };
    for await (const text of textChunks(count(), encodingOf(source.head))) feed.feed(text);
    feed.end();
  },
};
