/** Reads the number that a text states: at its beginning, or the last in it, unless what stands beside makes it another. @module */
import { changesNumber, deniesNumber } from "./answer_words.ts";
import { mathValue } from "./math_value.ts";
import { quantitiesIn, type Quantity, sameQuantity } from "./quantities.ts";

/** A number, and what stands behind it in `text`. */
interface Stated {
  readonly number: Quantity;
  readonly rest: string;
}

const MOST_CHARACTERS = 300;
/** What is a mark and says nothing: a unit in \text, a fraction in LaTeX, spaces. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}/g, " $1"],
  [/(?<!\\)\\[,;:! ]|~(?=[A-Za-z])/g, " "],
  [/\\d?t?frac\s*(?:\{(\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))/g, " $1$2/$3$4"],
  [/\^\{?\\circ\}?/g, "°"],
  [/[ \t]+/g, " "],
];
/** Before a number: bold, mathematics, a box, what says that it is rounded. */
const OPENS =
  /^(?:[\s:_]|\*\*|\*(?=[\d$])|\$(?=[-\d\\.])|\\[([]|\\(?:boxed|fbox)\s*\{|\{|[≈~]|\\approx|(?:about|around|approximately|approx\.?|roughly|exactly|simply|just|only|indeed|therefore|thus|then|now|also|it is|it's|that|there are|there is|a total of|at (?:least|most)|the number)\s)+/i;
/** Behind it: what closes those. */
const CLOSES = /^(?:\*\*|\*(?![\d*])|_|\$|\\[)\]]|\})+/;
/** Where the clause of a number ends. */
const CLAUSE =
  /[;?]|!(?=\s|$)|,(?=\s)|:(?=\s)|\s[—–-]\s(?=[A-Za-z])|(?<=[\d%*.$}]|[\d%*$}] \w+)\s*\((?=\s*[A-Za-z$\d])|\b(?:because|since|as|which|where|when|so)\b/i;
/** Units of one letter that are no factors. */
const LETTER = /^[mghslL](?![A-Za-z])/;
/** Raised units are no powers of the number. */
const LENGTH = "cm|km|mm|m|ft|yd|in|mi|feet|foot|inch(?:es)?|(?:kilo|centi|milli)?met(?:er|re)s?|miles?|yards?|units?";
const RAISED = new RegExp(`^(?:${LENGTH}) ?(?:\\^\\{?[23]\\}?|²|³)`, "i");

/** "42 cm^2": the 2 is no number. */
const AREA = new RegExp(`(\\d ?(?:\\\\text\\{ ?)?(?:${LENGTH})\\}?) ?(?:\\^\\{?[23]\\}?|²|³)`, "gi");

/** The number with which a text begins, if nothing right behind it makes it another one: "42 pairs of socks", "6*7 = 42". */
export function leadingNumber(written: string): Stated | null {
  const text = unmarked(written.slice(0, MOST_CHARACTERS)), cut = CLAUSE.exec(text)?.index ?? text.length;
  const parts = text.slice(0, cut).split(/(?<![=<>!≠])=(?!=)/), last = begins(parts.at(-1)!);
  if (last === null || !parts.slice(0, -1).every((part) => agrees(part, last.number))) return null;
  const rest = last.rest + text.slice(cut);
  const isCut = rest === "" && written.trim().length > MOST_CHARACTERS;
  return isCut || isList(rest) ? null : { number: last.number, rest };
}

function unmarked(written: string): string {
  if (/\p{Cf}|\p{M}/u.test(written.replaceAll(/[\u200d\ufe0f]/g, ""))) return "";
  return plain(written.trim().replace(/^\$(.*)\$(\.?)$/, "$1$2"));
}

function plain(text: string): string {
  return MARKS.reduce((text, [mark, instead]) => text.replaceAll(mark, instead), text);
}

function begins(part: string): Stated | null {
  const opened = part.trim().replace(OPENS, "").replace(/^\+ ?(?=[\d.$])/, "").replace(/^- ?(?=[\d.$€£¥₹\\])/, "-")
    .replace(/^-\s+(?=\d+\/)/, "-");
  // 70 000: groups of three after a space, each of them.
  const joined = opened.replace(/^(-?\d{1,3}(?: \d{3})+)(?![\d/]| \d)/, (digits) => digits.replaceAll(" ", ""));
  const { text, found: [one] } = quantitiesIn(joined);
  if (!one?.value || one.start !== 0 || /^[-+]\s*[-+]/.test(joined)) return null;
  const rest = text.slice(one.end);
  return isChanged(rest) ? null : { number: one, rest };
}

/** "x = 42", "total cost = 42", "6 * 7 = 42"; not "41 = 42" or "2x = 42". */
function agrees(part: string, last: Quantity): boolean {
  const value = mathValue(part.replaceAll("$", "").replaceAll(/[A-Za-z]{3,}|\*\*/g, "").replace(/:\s*$/, ""));
  if (value) return sameQuantity({ ...value, start: 0, end: 0 }, last);
  return !/\d/.test(part) || !/\d\s*[A-Za-z](?![A-Za-z])/.test(part) && /\d.*[-+*/×÷x].*\d/.test(part);
}

/** Whether what follows a number right away makes it another one. */
function isChanged(behind: string): boolean {
  if (/^(?:[\p{N}\p{M}²³_^]|[A-Za-z](?![a-z])|(?:st|nd|rd|th)\b)/u.test(behind)) return true;
  if (/^[\p{L}]/u.test(behind) && !UNIT.test(behind)) return true;
  const rest = behind.replace(CLOSES, "").trimStart();
  if (
    /^(?:[*×÷·^+]\s*[\d(\\$A-Za-z]|[-\/]\s*[\d(\\$]|<(?![\/|a-z])|[>≠≤≥|!(√]|\\(?!text|mathrm|end|%|\)|\]|circ)[A-Za-z]|\d|:\d|[^ -~\s°€–—“”’]\d)/u
      .test(rest)
  ) return true;
  if (/^[A-Za-z](?![A-Za-z'’])/.test(rest) && !LETTER.test(rest) && !RAISED.test(rest)) return true;
  if (/^[A-Za-z]+ ?(?:\^|²|³)/.test(rest) && !RAISED.test(rest)) return true;
  return changesNumber(rest);
}

/** Units that may touch their number. */
const UNIT = /^(?:kg|mg|g|lbs?|oz|mm|cm|km|m|ft|yd|ml|hrs?|h|mins?|secs?|s|mph|kmh|kWh|cents?|%|°|am|pm|€)(?![A-Za-z])/;

/** "17, 18 and 19", "17 and 18", "17 or so". */
function isList(rest: string): boolean {
  return /^\s*(?:,|and\b|or\b|&|-|–|\/)\s*(?:(?:and|or)\s+)?[-$]*\d/i.test(rest);
}

/** The last number of a text, unless what stands beside makes it another one. */
export function lastNumberOf(written: string): Stated | null {
  const { text, found } = quantitiesIn(plain(written.slice(-2 * MOST_CHARACTERS)).replaceAll(AREA, "$1")),
    last = found.at(-1),
    before = found.at(-2);
  if (
    !last?.value || /\d\p{Cf}+\d/u.test(written.slice(-2000)) ||
    isLedInto(text.slice(Math.max(0, last.start - 200), last.start))
  ) {
    return null;
  }
  const rest = text.slice(last.end), between = before ? text.slice(before.end, last.start) : "";
  if (isChanged(rest.replace(/^!(?=\s|$)/, ""))) return null;
  const third = found.at(-3), gap = third && before ? text.slice(third.end, before.start) : "";
  const differs = before !== undefined && !sameQuantity(before, last);
  if (differs && /\bor\b|^\s*(?:and|to|[-–—&])\s*$/i.test(between)) return null;
  // 40, 41, 42: numbers one after another, of which the last is one of many.
  const next = /^\s*[,\n]\s*(?:and\s*)?$/;
  if (differs && next.test(between) && next.test(gap)) return null;
  return { number: last, rest };
}

/** Whether what stands right before a number makes it another one: -√42, 10-42, x42, half of 42. */
function isLedInto(before: string): boolean {
  if (/[\p{L}\p{N}\p{M}_]$/u.test(before)) return true;
  const near = before.replace(/(?:<\/?[a-z_]+>\s*)+$/i, ";").replace(
    /(?:\s|\*\*|\$|\\[([]|\\(?:boxed|fbox)\s*\{|[≈~])+$/,
    "",
  );
  if (/[-+*/^<>√≠≤≥×÷·|!#%]$|\d$/u.test(near) && !/(?:^|\n|\s)(?:[-*+]|#+)$|####$|---$/.test(near)) return true;
  if (/\\(?:neq?|[lg]eq?|[lg]t|sqrt|times|cdot|div|pm)\s*\{?$/.test(near) || /[!<>~]=$|[A-Za-z]\($/.test(near)) {
    return true;
  }
  return deniesNumber(near.split(/[.:;?!,](?=\s|$)|\r?\n/).at(-1)!);
}
