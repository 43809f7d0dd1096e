/**
 * One `name: value` per line, or several: torchforge, verl's one-metric-per-line variant, and hand-copied figures.
 *
 * Values may have thousands separators (1,568,987.96). A repeated name or a new step closes the record.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import { ALL_DIGITS, NONE } from "../intake/stage.ts";
import type { Line } from "../source/lines.ts";
import { withoutPrefix } from "../source/prefix.ts";
import { numberScan, scanNumber } from "../source/scan_number.ts";
import type { LineFormat, LineReader } from "./line_format.ts";

const PAIR = /^(?:[-*•]\s*)?["'`]?([A-Za-z_][\w./()%@ -]{0,120}?)["'`]?\s*[:=]\s*(\S.*)$/;
const MANY = /\s{2,}|\s*[|;]\s*|,\s+(?=[A-Za-z_])/g;
/** Share of a record's characters that its pairs are. */
const RECORD = 0.6;
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?/;
const STEP_LINE = /^\W*(?:(?:training|global|train)[ _])?(?:step|iter(?:ation)?)\s*[:=#]?\s*(\d+)\b/i;

/** `step 12: loss=0.1, reward=0.5`, `[Step 12/100] loss 0.1 | reward 0.5`. */
const STEP_PREFIX =
  /^\W*(?:global[ _])?(?:step|iter(?:ation)?)\s*[:=#]?\s*(\d+)(?:\s*\/\s*\d+)?\s*(?:[\])]\s*[-:|,–—>]*|[-:|,–—>]+)\s*(\S.*)$/i;
/** `step 10 reward 0.62 kl 0.01`: nothing but names and numbers. */
const STEP_SPACED =
  /^\W*(?:global[ _])?(?:step|iter(?:ation)?)\s*[:=#]?\s*(\d+)(?:\s*\/\s*\d+)?\s+((?:[A-Za-z_][\w./-]*\s+[-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|nan|inf)(?:[\s,;|]+|$)){2,})$/i;
const INLINE =
  /(?:^|[\s,;|(\[])([A-Za-z_][\w./@()-]*)\s*[:=]\s*([-+]?[\d.][\d,.]*(?:[eE][-+]?\d+)?%?|[-+]?(?:nan|inf)\b|None\b)(?=$|[\s,;|)\]])/gi;
const SPACED = /(?:^|[\s,;|])([A-Za-z_][\w./-]*)\s+([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|nan|inf))(?=$|[\s,;|])/gi;

interface Pair {
  readonly name: string;
  readonly value: string;
  /** It stands at the end of the line. */
  readonly last: boolean;
}

/** The pairs of a line: one with a name of several words, or several with plain names. */
function pairsOf(text: string, loose: boolean): Pair[] {
  const wide = widePairs(text);
  if (wide !== null) return wide;
  // In prose a pair is an aside: a record is pairs for the most part.
  const inline = pairsBy(INLINE, text, loose ? 0 : RECORD * text.length);
  return inline.length === 0 && loose ? pairsBy(SPACED, text, 0) : inline;
}

/** The parts of a line, each a name and a number; null from the first one on that is neither. */
function widePairs(text: string): Pair[] | null {
  const pairs: Pair[] = [];
  for (let from = 0, isLast = false; !isLast;) {
    MANY.lastIndex = from;
    const gap = MANY.exec(text), pair = PAIR.exec(text.slice(from, gap?.index).trim());
    if (pair === null || pair[2] !== "None" && plainNumber(pair[2]!) === null) return null;
    isLast = gap === null;
    pairs.push({ name: pair[1]!.trim(), value: pair[2]!, last: isLast });
    from = MANY.lastIndex;
  }
  return pairs;
}

/** The pairs that a pattern finds; none where they are fewer characters of the text than `least`. */
function pairsBy(pattern: RegExp, text: string, least: number): Pair[] {
  const pairs: Pair[] = [];
  let covered = 0;
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    const end = pattern.lastIndex, name = hit[1]!, value = hit[2]!.replace(/[,.]$/, "");
    covered += name.length + value.length + 2;
    if (covered + text.length - end < least) break;
    pairs.push({ name, value, last: end >= text.length });
  }
  pattern.lastIndex = 0;
  return covered < least ? [] : pairs;
}

interface Printed {
  readonly value: number;
  readonly decimals: number;
}

/** A printed number with or without thousands separators; the rest of the text must be empty, a unit or a remark. */
export function plainNumber(text: string, scan = numberScan()): Printed | null {
  const grouped = GROUPED.exec(text);
  const source = grouped === null ? text : grouped[0].replaceAll(",", "");
  const inner = /^(?:np\.\w+|tensor|array)\((.*)\)$/.exec(source)?.[1] ?? source;
  if (!scanNumber(inner, 0, scan)) return null;
  const rest = (grouped === null ? inner.slice(scan.end) : text.slice(grouped[0].length)).trim();
  if (rest !== "" && !/^(?:%|s|ms|[a-z]{1,3}\b|\(.*\))?[.,;]?$/i.test(rest) && !rest.startsWith("#")) return null;
  return { value: scan.value, decimals: grouped === null ? scan.decimals : ALL_DIGITS };
}

export const KEY_VALUE: LineFormat = {
  about: "name: value, one per line or a few (torchforge, verl's long form, copied figures)",
  words: [":", "=", "step"],
  open: (intake) => new PairReader(intake),
};

class PairReader implements LineReader {
  readonly #scan = numberScan();
  /** The record so far, and the line it begins on. */
  #pending = new Map<string, Printed>();
  #first = 0;
  #step: number | undefined;

  constructor(private readonly intake: Intake) {}

  line({ text, number, ended }: Line): boolean {
    if (text.length > 2000 || (!text.includes(":") && !text.includes("=") && !/step/i.test(text))) return false;
    const trimmed = withoutPrefix(text.trim());
    const stepLine = (trimmed.includes("METRICS STEP") ? /METRICS STEP (\d+)/.exec(trimmed) : null) ??
      STEP_LINE.exec(trimmed);
    if (stepLine !== null && trimmed.length < stepLine[0].length + stepLine.index + 8) {
      this.#flush();
      this.#step = Number(stepLine[1]);
      return true;
    }
    const prefixed = STEP_PREFIX.exec(trimmed) ?? STEP_SPACED.exec(trimmed);
    if (prefixed === null) return this.#pairs(pairsOf(trimmed, false), number, ended, false);
    this.#flush();
    this.#step = Number(prefixed[1]);
    const taken = this.#pairs(pairsOf(prefixed[2]!, true), number, ended, true);
    this.end();
    return taken;
  }

  end(): void {
    this.#flush();
    this.#step = undefined;
  }

  /** Takes the pairs with a known name; `surely` says that they are metrics, whatever options are called so too. */
  #pairs(pairs: readonly Pair[], line: number, ended: boolean, surely: boolean): boolean {
    let taken = false;
    for (const { name, value, last } of pairs) {
      const info = this.intake.stage.info(name);
      // `step=10 reward=0.62`: the step of the record that it begins.
      if (info.isStep && pairs.length > 1 && /^\d{1,9}$/.test(value)) {
        this.#flush();
        this.#step = Number(value);
      }
      if (info.isStep || !info.mapped || (info.isOption && !info.isStrong && !surely)) continue;
      const found = value === "None" ? { value: NaN, decimals: NONE } : plainNumber(value, this.#scan);
      if (found === null) continue;
      taken = true;
      if (!ended && last) {
        this.intake.skip(line, `the value of "${info.printed}", at the cut end of the file`);
        continue;
      }
      if (this.#pending.has(info.printed)) this.#flush();
      if (this.#pending.size === 0) this.#first = line;
      this.#pending.set(info.printed, { ...found, decimals: found.decimals === 0 ? ALL_DIGITS : found.decimals });
    }
    return taken;
  }

  #flush(): void {
    if (this.#pending.size === 0) return;
    const { stage } = this.intake;
    stage.reset();
    for (const [name, { value, decimals }] of this.#pending) stage.add(stage.info(name), value, decimals);
    this.#pending.clear();
    this.intake.commit({ line: this.#first, step: this.#step, metrics: true, weak: true });
    this.#step = undefined;
  }
}
