/**
 * verl's console line: `step:12 - actor/pg_loss:0.004 - critic/score/mean:np.float64(0.5) - …`, with any prefix.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import type { NameInfo } from "../intake/name_info.ts";
import { ALL_DIGITS, type Expected, expectedName, NONE } from "../intake/stage.ts";
import type { Line } from "../source/lines.ts";
import { scanNumber } from "../source/scan_number.ts";
import { WrappedLine } from "../source/wrapped_line.ts";
import { type LineFormat, type LineReader, rankOf } from "./line_format.ts";

const SEPARATOR = " - ";

const FOREIGN = 0.25; // Values with fewer decimals, per one with three, in a line of three.

const CONTINUED =
  /^([\s-]*)[A-Za-z_][\w/@.()-]*:(?:-?[\d.]+(?:e[-+]?\d+)?|nan|-?inf|np\.float\d+\([^)]*\))(?: - | -?\s*$)/;

export const VERL: LineFormat = {
  about: "step:N - name:value - name:value (verl and its forks)",
  words: ["step:"],
  open: (intake) => new VerlReader(intake),
};

interface Start {
  readonly step: number;
  /** Where the first name stands. */
  readonly from: number;
  readonly prefix: string;
  /** The line has the step; it is not the rest of one. */
  readonly first: boolean;
}

class VerlReader implements LineReader {
  /** The step whose line was read last, while its wrapped rest may follow. */
  #step: number | null = null;
  /** Old versions print every float with three decimals: then 0.000 is not 0. New ones print all digits. */
  #three = 0;
  #fewer = 0;
  #more = 0;
  readonly #cut = new WrappedLine();

  constructor(private readonly intake: Intake) {}

  end(): void {
    this.#flush();
  }

  /** The line behind a record may be its rest. */
  get isOpen(): boolean {
    return this.#step !== null || this.#cut.isKept;
  }

  line(line: Line): boolean {
    const whole = this.#cut.join(line);
    if (whole === true) return true;
    if (whole !== null) return this.#record(whole, this.#start(whole.text)!);
    this.#flush();
    const start = this.#start(line.text);
    if (start === null) return false;
    return start.first && this.#cut.keep(line) || this.#record(line, start);
  }

  /** Takes the line that waited for its rest. */
  #flush(): void {
    const line = this.#cut.take();
    if (line !== null) this.#record(line, this.#start(line.text)!);
  }

  #record({ text, number, ended }: Line, start: Start): boolean {
    const { stage } = this.intake;
    stage.reset();
    this.#three = this.#fewer = this.#more = 0;
    for (let from = start.from; from < text.length;) {
      const found = text.indexOf(SEPARATOR, from), end = found < 0 ? text.length : found;
      const name = this.#name(text, from, end), mayBeCut = found < 0 && !ended;
      if (name !== null) this.#value(text, from + name.text.length, end, name.info, mayBeCut, number);
      else if (found < 0 && end - from > 2) this.intake.skip(number, "a cut value at the end of a step line");
      from = end + SEPARATOR.length;
    }
    if (stage.count === 0) return false;
    const decimals = this.#fixed ? 3 : ALL_DIGITS;
    for (let i = 0; i < stage.count; i++) if (stage.decimals[i]! >= 0) stage.decimals[i] = decimals;
    this.intake.mark("verl", "a line of the form step:N - name:value");
    return this.intake.commit({ line: number, step: start.step, rank: rankOf(start.prefix), metrics: true });
  }

  /** Null where the line is no such line. */
  #start(text: string): Start | null {
    let at = text.indexOf("step:");
    while (at > 0 && !" \t)]:".includes(text[at - 1]!)) at = text.indexOf("step:", at + 1);
    if (at < 0) return this.#wrapped(text);
    const scan = this.intake.stage.number;
    if (!scanNumber(text, at + 5, scan)) return null;
    if (!text.startsWith(SEPARATOR, scan.end) || text.indexOf(":", scan.end) < 0) return null;
    this.#step = scan.value;
    return { step: scan.value, from: scan.end + SEPARATOR.length, prefix: text.slice(0, at), first: true };
  }

  /** A pasted line that a window has wrapped goes on where the step's line ended. */
  #wrapped(text: string): Start | null {
    const wrapped = this.#step === null || text.length > 20_000 ? null : CONTINUED.exec(text);
    if (wrapped !== null) return { step: this.#step!, from: wrapped[1]!.length, prefix: "", first: false };
    if (text.trim() !== "") this.#step = null;
    return null;
  }

  /** The name that stands between `from` and `end`, as a rule the one of the line before; null where none does. */
  #name(text: string, from: number, end: number): Expected | null {
    const { stage } = this.intake, usual = stage.expected[stage.count];
    if (usual !== undefined && text.startsWith(usual.text, from)) return usual;
    const colon = text.lastIndexOf(":", end - 1);
    if (colon <= from) return null;
    const printed = text.slice(from, colon + 1), info = stage.info(printed.slice(0, -1).trim());
    return stage.expected[stage.count] = expectedName(printed, info);
  }

  #value(text: string, at: number, end: number, info: NameInfo, mayBeCut: boolean, line: number): void {
    const { stage } = this.intake, scan = stage.number;
    while (text.charCodeAt(at) === 32) at++;
    const isCall = text.startsWith("np.", at) || text.startsWith("tensor(", at);
    const open = isCall ? text.indexOf("(", at) : -1;
    if (!scanNumber(text, open > 0 ? open + 1 : at, scan)) {
      if (text.startsWith("None", at)) stage.add(info, NaN, NONE);
      return;
    }
    const tail = text.slice(scan.end, end).trim();
    if (tail !== "" && tail !== "-" && !(open > 0 && tail.startsWith(")"))) return;
    // The last value of a line without an end may be cut: only one with all its decimals counts.
    const cut = mayBeCut && tail === "" && !(this.#fixed && scan.decimals === 3 && stage.count > 2);
    if (cut) this.intake.skip(line, `the value of "${info.printed}", at the cut end of the file`);
    else stage.add(info, scan.value, scan.decimals);
    if (scan.decimals === 3) this.#three++;
    else if (scan.decimals > 3) this.#more++;
    else if (scan.decimals >= 0) this.#fewer++;
  }

  /** What somebody else added to a line of three decimals, a count say, does not give the others more. */
  get #fixed(): boolean {
    return this.#more === 0 && this.#fewer <= FOREIGN * this.#three;
  }
}
