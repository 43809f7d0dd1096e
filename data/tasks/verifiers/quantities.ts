/** Finds the numbers of a short text, each with its exact value: thousands, currency, fractions, percent, powers of ten. @module */
import { plainText } from "./plain_text.ts";
import { decimal, over, plus, type Rational, rational, sameRational, times } from "./rational.ts";

export interface Quantity {
  /** Null where it is too large to be an answer, such as 1e400: it equals nothing. */
  readonly value: Rational | null;
  /** Written with a percent sign: `value` is that of the digits. */
  readonly percent: boolean;
  /** Where it begins and ends in the text of `quantitiesIn`. */
  readonly start: number;
  readonly end: number;
}

/** Longer texts are cut from their front: what is a number is looked for near the end. */
const MOST_CHARACTERS = 2000;

/** Groups of three, or as in India of two and a last one of three; one separator in a number. */
const GROUPED = ["(?:,|\\{,\\})", "'", "’"].map((separator) => `\\d{1,3}(?:${separator}\\d{2,3})*${separator}\\d{3}`)
  .concat("\\d{1,3}(?:_\\d{3})+").join("|");
const DIGITS = `(?:(?:${GROUPED})(?!\\d)|\\d+)(?:\\.\\d+)?|\\.\\d+`;
const POWER = "(?:[eE][-+]?\\d{1,9}|\\s?(?:[×x*]|\\\\times|\\\\cdot)\\s?10\\s?\\^\\s?\\{?[-+]?\\d{1,9}\\}?)";
const CURRENCY = "(?:\\\\?[$€£¥₹]|US\\$)?";
const NUMBER = new RegExp(
  `(?<sign>[-+]\\s?)?${CURRENCY}\\s?(?<inner>-)?(?<digits>${DIGITS})(?<power>${POWER})?(?<after>\\s?\\\\?%|\\s?percent\\b)?`,
  "g",
);

/** All numbers of a text (of its last 2000 characters) in their order; `text` is what `start` and `end` count in. */
export function quantitiesIn(written: string): { readonly text: string; readonly found: readonly Quantity[] } {
  const text = plainText(written.slice(-MOST_CHARACTERS)), found: Quantity[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const { sign, inner, digits, power, after } = match.groups!;
    // A minus after a digit or a word is an operator or a hyphen: 9-4 ends in 4.
    const left = text.slice(0, match.index), before = left.trimEnd().at(-1) ?? "";
    // "the change is -$5": between a word and its number a minus is a sign, unless it stands between two spaces.
    const isApart = sign === "-" && /[A-Za-z]{2}\s+$/.test(left);
    const isMinus = sign?.[0] === "-" && (isApart || !/[\w)\]}]/.test(before));
    const value = valueOf(digits!, power);
    const signed = value && (isMinus || inner !== undefined) ? times(value, rational(-1n)) : value;
    const skipped = sign && !isMinus ? sign.length : 0;
    const start = match.index + skipped + match[0].slice(skipped).search(/\S/);
    found.push({ value: signed, percent: after !== undefined, start, end: match.index + match[0].length });
  }
  return { text, found: withFractions(text, found) };
}

function valueOf(digits: string, power: string | undefined): Rational | null {
  const plain = digits.replaceAll(/[,_'’ {}]/g, "");
  const exponent = power === undefined ? "" : `e${/[-+]?\d+(?=\}?$)/.exec(power)![0]}`;
  return decimal(plain + exponent);
}

/** `3/4` is one number, and so is `1 3/4`. */
function withFractions(text: string, found: readonly Quantity[]): Quantity[] {
  const out: Quantity[] = [];
  for (let i = 0; i < found.length; i++) {
    const one = found[i]!, next = found[i + 1];
    if (!next || !/^\s?\/\s?$/.test(text.slice(one.end, next.start))) {
      out.push(one);
      continue;
    }
    i++;
    const value = one.value && next.value && over(one.value, next.value);
    const fraction = { ...one, value, percent: next.percent, end: next.end }, whole = out.at(-1);
    const isMixed = whole?.value?.denominator === 1n && !whole.percent && (value?.numerator ?? -1n) >= 0n &&
      text.slice(whole.end, one.start) === " ";
    if (!isMixed) out.push(fraction);
    else out.splice(-1, 1, { ...fraction, value: mixed(whole.value!, value!), start: whole.start });
  }
  return out;
}

function mixed(whole: Rational, part: Rational): Rational {
  return plus(whole, times(part, rational(whole.numerator < 0n ? -1n : 1n)));
}

/** The same number: by its digits, or one of them in percent and the other as the share that it is. */
export function sameQuantity(a: Quantity, b: Quantity, same = sameRational): boolean {
  if (a.value === null || b.value === null) return false;
  const share = ({ value, percent }: Quantity) => percent ? times(value!, rational(1n, 100n)) : value!;
  return same(a.value, b.value) || (a.percent !== b.percent && same(share(a), share(b)));
}
