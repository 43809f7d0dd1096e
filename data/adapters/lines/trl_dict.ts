/**
 * Python's dicts anywhere in a line, `{'loss': 0.1, 'step': 2}`: what transformers' Trainer prints, hence TRL, ms-swift and
 * LLaMA-Factory, and in their own way OpenRLHF and others; also JSON lines.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import { NO_DICT, scanDict, UNFINISHED } from "../intake/scan_dict.ts";
import { scanUsual } from "../intake/scan_usual.ts";
import type { Line } from "../source/lines.ts";
import { withoutPrefix } from "../source/prefix.ts";
import { wholeNumber } from "../source/scan_number.ts";
import { type LineFormat, type LineReader, rankOf } from "./line_format.ts";

const MAX_JOINED = 3000; // Lines a pretty-printed dict may span.
const MAX_JOINED_CHARS = 1 << 20;

const CUT = "a dict cut before its end";

const isQuote = (code: number) => code === 39 || code === 34;

/** Where a dict opens at or after `from`: `{` and a quote, with white space between. */
function findDict(text: string, from: number): number {
  for (let at = text.indexOf("{", from); at >= 0; at = text.indexOf("{", at + 1)) {
    let next = at + 1;
    while (text.charCodeAt(next) === 32) next++;
    if (isQuote(text.charCodeAt(next)) || next >= text.length) return at;
  }
  return -1;
}

const STEP_BEFORE = /(?:global[ _])?step[ :=#]*(\d{1,9})(?:, eval_metrics)?\D{0,4}$/i;

/** `generation_kwargs: {…}` and `args = {…}`: whose settings they are. */
const PARENT = /([A-Za-z_][\w.]*)["']?\s*[:=]\s*$/;

/** A dict that goes on in the next lines begins with a name, or with nothing yet. */
const OPENED = /^[{\s]*["'][\w /().-]{1,120}["']?\s*:?/;

export const TRL_DICT: LineFormat = {
  about: "a dict per record, single or double quotes: TRL, transformers, ms-swift, OpenRLHF, JSON lines",
  words: ["{", "'", '"'],
  open: (intake) => new DictReader(intake),
};

class DictReader implements LineReader {
  /** A dict that spans lines, as far as it is there. */
  #held: { readonly text: string; readonly line: number; readonly lines: number } | null = null;

  constructor(private readonly intake: Intake) {}

  get isOpen(): boolean {
    return this.#held !== null;
  }

  line({ text, number, ended }: Line): boolean {
    if (this.#held !== null && this.#goesOn(text)) return true;
    if (findDict(text, 0) >= 0) return this.#dicts(text, number, ended);
    return this.#unopened(withoutPrefix(text.trimStart()), number, ended);
  }

  end(): void {
    if (this.#held !== null) this.intake.skip(this.#held.line, CUT);
    this.#held = null;
  }

  /** Joins the line to the dict that is held; false where it does not belong to it. */
  #goesOn(text: string): boolean {
    const held = this.#held!;
    const another = text.length > 1 && text.charCodeAt(0) === 123 && findDict(text, 0) === 0;
    if (another && !held.text.trimEnd().endsWith(":")) {
      this.end();
      return false;
    }
    // No line break between them: a window may have wrapped the line within a name or a number.
    const joined = held.text + withoutPrefix(text);
    this.intake.stage.reset();
    const end = text.includes("}") ? scanDict(joined, 0, this.intake.stage) : UNFINISHED;
    if (end >= 0) {
      this.#held = null;
      this.#commit("", held.line);
      return true;
    }
    if (end === UNFINISHED && held.lines + 1 < MAX_JOINED && joined.length < MAX_JOINED_CHARS) {
      this.#held = { text: joined, line: held.line, lines: held.lines + 1 };
      return true;
    }
    this.end();
    return false;
  }

  /** Scans all dicts of a text; true if one was there. */
  #dicts(text: string, number: number, ended: boolean): boolean {
    let from = 0, found = false;
    for (let at = findDict(text, 0); at >= 0;) {
      const end = this.#scan(text, at);
      if (end === UNFINISHED) {
        this.#unfinished(text.slice(at), number, ended);
        return true;
      }
      if (end !== NO_DICT) {
        if (this.#commit(text.slice(from, at), number)) found = true;
        from = end;
      }
      at = findDict(text, end === NO_DICT ? at + 1 : end);
    }
    return found;
  }

  #scan(text: string, at: number): number {
    const { stage } = this.intake;
    stage.reset();
    const usual = scanUsual(text, at, stage);
    if (usual >= 0) return usual;
    stage.reset();
    return scanDict(text, at, stage);
  }

  #unfinished(text: string, line: number, ended: boolean): void {
    if (!ended) this.intake.skip(line, CUT);
    else if (OPENED.test(text.slice(0, 160)) || text.trim() === "{") this.#held = { text, line, lines: 1 };
  }

  /** A paste without its opening brace. It counts only if it is whole up to its closing brace. */
  #unopened(text: string, number: number, ended: boolean): boolean {
    if (!/^["'][^"']{1,200}["']\s*:/.test(text)) return false;
    const { stage } = this.intake;
    stage.reset();
    const end = scanDict(text, 0, stage, "", 0, true);
    if (end >= 0) return this.#commit("", number);
    if (end !== UNFINISHED || stage.count <= 1) return false;
    if (ended) this.#held = { text: `{${text}`, line: number, lines: 1 };
    else this.intake.skip(number, CUT);
    return true;
  }

  #commit(before: string, line: number): boolean {
    const { stage } = this.intake;
    if (stage.count === 0 && stage.texts.length > 1 && this.#columns(line)) return true;
    if (before === "") return this.intake.commit({ line });
    if (before.includes("Global step")) this.intake.mark("openrlhf", before);
    const step = STEP_BEFORE.exec(before.slice(-80));
    return this.intake.commit({
      line,
      step: step === null ? undefined : Number(step[1]),
      rank: rankOf(before),
      parent: PARENT.exec(before)?.[1],
    });
  }

  /** A dict of lists is a table in columns: one record per place. */
  #columns(line: number): boolean {
    const { stage } = this.intake;
    const lists = stage.texts.filter(({ quoted, value }) => !quoted && value.startsWith("["))
      .map(({ name, value }) => ({ name, cells: value.slice(1, -1).split(",").map((cell) => cell.trim()) }));
    const rows = lists[0]?.cells.length ?? 0;
    if (lists.length < 2 || rows < 2 || lists.some(({ cells }) => cells.length !== rows)) return false;
    if (!lists.some(({ name }) => stage.info(name).mapped)) return false;
    for (let row = 0; row < rows; row++) {
      stage.reset();
      for (const { name, cells } of lists) {
        const value = wholeNumber(cells[row]!);
        if (value !== null || cells[row] === "null" || cells[row] === "None") stage.put(name, value);
      }
      if (stage.count > 0) this.intake.commit({ line });
    }
    return true;
  }
}
