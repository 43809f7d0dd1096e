/** One text read line by line: each line is offered to the line formats, then read as a message or a setting. @module */
import type { Intake } from "../intake/intake.ts";
import { CompletionText } from "../prose/completion_text.ts";
import { codeValue } from "../prose/code_value.ts";
import { readFlags, readKeyValue, type Written } from "../prose/flags.ts";
import { findOption, normaliseOption } from "../../options.ts";
import { MARK_WORDS, MESSAGE_WORDS, readMarks, readMessage } from "../prose/messages.ts";
import { isSentence } from "../prose/sentence.ts";
import type { Line } from "../source/lines.ts";
import { plainPunctuation, stripAnsi } from "../source/text.ts";
import { WordFilter } from "../source/word_filter.ts";
import type { LineReader } from "../lines/line_format.ts";
import { LINE_FORMATS } from "../lines/mod.ts";

const MAX_PLAIN = 50_000;
/** Hydra's overrides, as a program is started with them, or on a line of a command that goes on. */
const OVERRIDES =
  /\bpython[\d.]*\s.*\s[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S|^\s*[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S*\s*\\\s*$/;
const VERSION =
  /\b(trl|transformers|torch|vllm|peft|verl|unsloth|deepspeed|ms-swift|swift|openrlhf|llamafactory|accelerate)\s*(?:==|[=:@]|version)?\s*v?(\d+\.\d+[\w.+-]*)/gi;

/** What a text is for: it decides what an unknown `key: value` is. */
export type TextRole = "log" | "post" | "configuration" | "completions" | "script";

const MAX_PAIR = 400; // Characters of a line with a name and its value.
/** A program that is started, and overrides on a line of a command that goes on. */
const COMMAND =
  /^\s*(?:[$>]\s*)?(?:[A-Z_][A-Z0-9_]*=\S+\s+)*(?:torchrun|python[\d.]*|accelerate|deepspeed|swift|llamafactory-cli|ray|srun|nohup)\s+.*(?:--\w|=\S|\.py\b)/;
const SEVERAL =
  /^\s*(?:[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S+\s+)+[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=\S+\s*\\?\s*(?:\.\.\.|…)?\s*$/;
const CELL_OF_JSON = /^\s*(?:"[^"]*"\s*:|[{}\],]+\s*\|$)/;
/** A name and a value that goes on in words, or in Chinese. */
const WORDY = /[:=]\s*\S+\s+(?:[^\s#]+\s+){2,}|[:=]\s*[^,，]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/** A value of one digit, or of zeros only, that ends the text. */
/** The last line of a command may be a flag without a value. */
const LONE = /^\s*(--[A-Za-z][\w-]*)\s*$/;
/** A program says so, at a line of its code. */
const FROM_CODE = /\.(?:cu|cuh|cpp|cc|h|hpp|py):\d+/;
const HALF_NUMBER = /[:=]\s*-?(?:\d|0?\.0*)$/;

type FormatName = keyof typeof LINE_FORMATS;

/** Words without which a line is nothing to a format, and tells nothing: most lines of a log have none. */
const WORDS = new WordFilter({
  ...Object.fromEntries(Object.entries(LINE_FORMATS).map(([name, { words }]) => [name, words])) as Record<
    FormatName,
    readonly string[]
  >,
  message: MESSAGE_WORDS,
  mark: MARK_WORDS,
  flag: ["--"],
  override: ["python", "\\"],
  call: ["Namespace(", "Config(", "Arguments("],
  pair: [":", "="],
});
const { message: MESSAGE, mark: MARK, flag: FLAG, override: OVERRIDE, call: CALL, pair: PAIR } = WORDS.bits;

/** Reads the lines of one text. */
export class LogReader {
  readonly #readers: { readonly reader: LineReader; readonly bit: number }[];
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
    if (role !== "log" && role !== "post") readers.delete("key_value");
    this.#readers = [...readers].map(([name, reader]) => ({ reader, bit: WORDS.bits[name as FormatName] }));
  }

  /** Reads a line; true where it is a record, a command or an option, false where it is prose, however much that tells. */
  take({ text, number, ended }: Line): boolean {
    if (text.charCodeAt(text.length - 1) === 13) text = text.slice(0, -1);
    if (!text.includes("\r")) return this.#part(text, number, ended);
    // A progress bar draws over itself: every state is a line of its own, the last one may be a record.
    const parts = text.split("\r");
    return parts.map((part, i) => this.#part(part, number, ended || i < parts.length - 1)).includes(true);
  }

  /** What spans lines ends here, as at an empty line of a post. */
  pause(): void {
    for (const { reader } of this.#readers) reader.end();
  }

  end(): void {
    this.pause();
    this.#texts.end();
  }

  #part(raw: string, number: number, ended: boolean): boolean {
    if (raw === "") return false;
    let text = plainPunctuation(stripAnsi(raw));
    if (text === "") return false;
    // The end of a cell, as JSON is copied from a page.
    if (text.charCodeAt(text.length - 1) === 124 && CELL_OF_JSON.test(text)) text = text.slice(0, -1).trimEnd();
    // In a post an option has a remark behind it.
    if (this.role === "post" && text.includes("#")) text = text.replace(/^(\s*[\w.]+\s*[:=]\s*\S+)\s+#\s.*$/, "$1");
    const line = { text, number, ended };
    if (text.charCodeAt(0) === 123 && this.#dict.line(line, false)) return true;
    if (text.includes("%|")) this.intake.records.progress.line(text);
    if (text.length > MAX_PLAIN) {
      // Only records are this long; everything else would be searched for patterns in vain.
      if (this.#dict.line(line, false) || this.#verl.line(line, false)) return true;
      this.intake.skip(number, `a line longer than ${MAX_PLAIN} characters without a record`);
      return true;
    }
    const seen = WORDS.groupsIn(text), isPlain = (seen & MESSAGE) === 0;
    for (const { reader, bit } of this.#readers) {
      if (((seen & bit) !== 0 || reader.isOpen === true) && reader.line(line, isPlain)) return true;
    }
    // "learning_rate: 0" at the very end of a file may be half of 0.0001.
    if (!ended && this.role === "configuration" && HALF_NUMBER.test(text)) {
      this.intake.skip(number, "a setting that may be cut off at the end of the file");
      return true;
    }
    return text.trim() !== "" && this.#prose(text, number, seen);
  }

  /** A line that is no record, and the words that it may hold; true where it holds options. */
  #prose(text: string, number: number, seen: number): boolean {
    if ((seen & MARK) !== 0) readMarks(this.intake, text);
    if (this.role === "completions") this.#texts.add(text, number);
    else if (this.role === "script") {
      const code = withoutComment(text), told = (written: Written, at: number) => codeValue(code, at, written);
      readFlags(this.intake, code.replace(/[(),]/g, " "), number, false, told);
    } else if (this.role === "configuration") this.#configuration(withoutComment(text), number);
    else return this.#log(text, number, seen);
    return true;
  }

  #log(text: string, number: number, seen: number): boolean {
    // What a person says of an error is a claim, or about another run.
    const isSpoken = this.role !== "log" && isSentence(text) && !FROM_CODE.test(text);
    if (!isSpoken && (seen & MESSAGE) !== 0) readMessage(this.intake, text, number);
    if (this.role === "post" && (COMMAND.test(text) || SEVERAL.test(text))) {
      return readFlags(this.intake, text, number, true) > 0;
    }
    // "I pass --a 1 and --b 2 to it." is no command.
    if (this.role === "post" && isSpoken && /[.!?。！？]\s*$/.test(text)) return false;
    if ((seen & FLAG) !== 0 && holdsFlags(text) || (seen & OVERRIDE) !== 0 && OVERRIDES.test(text)) {
      return readFlags(this.intake, text, number, false) > 0;
    }
    if ((seen & CALL) !== 0 && /\b(?:Namespace|\w+Config|\w+Arguments)\(/.test(text)) {
      return readFlags(this.intake, text.replace(/[()]/g, " "), number, true) > 0;
    }
    // In a post "beta: 0 because I read that …" is a sentence.
    return (seen & PAIR) !== 0 && text.length < MAX_PAIR && !(this.role === "post" && WORDY.test(text)) &&
      readKeyValue(this.intake, text, number, false);
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

/** A line with flags and their values, or with one that is known. */
function holdsFlags(text: string): boolean {
  const lone = LONE.exec(text);
  return / --\w[\w.-]*[ =].* --\w|^\s*--\w[\w.-]+([ =]\S|\s*\\)/.test(text) ||
    lone !== null && findOption(normaliseOption(lone[1]!), null) !== null;
}

/** A comment is nobody's message. */
function withoutComment(text: string): string {
  return text.replace(/(^|\s)#.*$/, "");
}
