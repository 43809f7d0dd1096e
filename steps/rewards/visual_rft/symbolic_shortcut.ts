/**
 * The shortcut of Visual-RFT's rewards: Math-Verify takes one number out of each text, and equal numbers earn 1.
 *
 * Which number that is decides everything. In order of preference: one after "final answer is"; one in \boxed{}; one
 * within some 50 characters after the word "answer" (the tag <answer> has it), after white space or "="; the last one
 * that stands after white space or "=". So a text "<answer>[{'Position': [236, 550, 300, 619]…" gives 550, the second
 * coordinate, and without spaces after commas none of the coordinates.
 * Source: the rules of Math-Verify 0.9.0, parser.py and grader.py, for numbers, sums and products, boxed and inline
 * formulas. Formulas with letters are compared as texts.
 * @module
 */
import { arithmetic } from "./arithmetic.ts";
import { inPython, SPACES, strip } from "./python_text.ts";

interface Extracted {
  /** Null for a formula that is no number. */
  readonly value: number | null;
  readonly isPercent: boolean;
  readonly isWhole: boolean;
  /** The formula with letters as it stands. */
  readonly text: string;
}

/* What may repeat here ends where what follows may begin: where two repetitions can share out one run of characters between
 * them, a text without a match takes time by the square of that run, and from each of its places once more. */
const PERCENT = String.raw`(?<percent>\s*(?:%|[Pp]ercent|[Pp]ercentage|[Pp]ct))?`;
const NUMBER = String
  .raw`(?<!\d)(?:(?<integer1>-?[1-9]\d{0,2}(?:[ ,]\d{3})+)(?<decimal1>\.\d+)?|(?<integer2>-?\d+)(?<decimal2>[.,]\d+)|(?<decimal3>\.\d+)|(?<integer3>-?\d+))${PERCENT}`;
const OPERATORS = String.raw`+\-*×\/^()÷`;
const EXPRESSION = String
  .raw`(?<expression>-?\(?-?\d[\d.${SPACES}]*[${OPERATORS}][\d.${SPACES}${OPERATORS}]+)`;
const CURRENCIES = "$€£¥₹₽₪₩₫฿₡₢₣₤₥₦₧₨₭₮₯₰₱₲₳₴₵₶₷₸₺₻₼₾₿";
const BEFORE = String.raw`(?:^|\s|=)(?:\*\*)?`, AFTER = String.raw`(?:\*\*)?(?:\.|,|:|\s|\)|\$|$)`;
const ANCHORED = { expression: `(?:${BEFORE}${EXPRESSION}${AFTER})`, number: `(?:${BEFORE}[${CURRENCIES}]?${NUMBER})` };
const EITHER = `(?:${ANCHORED.expression}|${ANCHORED.number})`;

const FORMULA = String
  .raw`(?:(?<!\\)\$\$(?<f1>(?:[^$]|\$(?!\$))+?)(?<!\\)\$\$|(?<!\\)\\\[(?<f2>(?:[^\\]|\\(?!\]))+?)(?<!\\)\\\]|(?<!\\|\d)\$(?<f3>(?:\\[$]|[^\n$])+?)(?<!\\)\$|(?<!\\)\\\((?<f4>(?:[^\\\n]|\\(?!\)))+?)(?<!\\)\\\)|\s\[(?<f5>[^\n\]\[]+?)\]\s|(?<f6>-?\\frac\{-?\d+(?:[.,]\d+)?\}\{-?\d+(?:[.,]\d+)?\}))\s*(?<sign>\\?%|[Pp]ercent|[Pp]ercentage|[Pp]ct)?`;

const plain = (source: string) => new RegExp(inPython(source), "gu");
const across = (source: string) => new RegExp(inPython(source), "gsu");

/** Patterns in order of preference; those of one row compete by where they end. */
const PATTERNS: readonly (readonly RegExp[])[] = [
  [
    across(String.raw`(?:[Ff]inal [Aa]nswer is):?\s*${FORMULA}\.?\s?I hope`),
    plain(String.raw`(?:[Ff]inal [Aa]nswer is):?\s*${EITHER}\.?\s?I hope`),
  ],
  [
    across(String.raw`(?:[Ff]inal [Aa]nswer.{0,100}?)\s+is:?\s*${FORMULA}`),
    plain(String.raw`(?:[Ff]inal [Aa]nswer[^\n]{0,100}?)\s+is:?${EITHER}`),
    across(String.raw`(?<f7>\\boxed\{.+\})`),
  ],
  [
    across(String.raw`(?:[Aa][Nn][Ss][Ww][Ee][Rr]):.{0,50}?${FORMULA}`),
    plain(String.raw`(?:[Aa][Nn][Ss][Ww][Ee][Rr]):(?:[^\n]{0,100}=\s*|[^\n]{0,50}?)${EITHER}(?!\s*=)`),
  ],
  [
    across(String.raw`(?:[Aa][Nn][Ss][Ww][Ee][Rr]).{0,50}?${FORMULA}`),
    plain(String.raw`(?:[Aa][Nn][Ss][Ww][Ee][Rr])(?:[^\n]{0,100}=\s*|[^\n]{0,50}?)${EITHER}(?!\s*=)`),
  ],
  [across(FORMULA), plain(ANCHORED.expression), plain(ANCHORED.number)],
];

/** Longer texts have nothing to compare: its patterns take time by the square, and Math-Verify gives up by its clock. */
const MOST_CHARACTERS = 10_000;

/** True where Math-Verify takes equal numbers, or equal formulas, out of both texts. */
export function symbolicallyEqual(text: string, other: string): boolean {
  if (text.length > MOST_CHARACTERS || other.length > MOST_CHARACTERS) return false;
  const a = extract(text), b = extract(other);
  if (!a || !b) return false;
  if (a.text === b.text) return true;
  if (a.value === null || b.value === null) return false;
  // 9 % is 9 where both are whole numbers, and 100 % is 1 as well.
  if (a.isWhole && b.isWhole && a.value === b.value) return true;
  const of = ({ value, isPercent }: Extracted) => value! / (isPercent ? 100 : 1);
  return of(a).toFixed(6) === of(b).toFixed(6);
}

/** What is taken out of a text; null where nothing can be. */
function extract(text: string): Extracted | null {
  for (const patterns of PATTERNS) {
    const matches = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
    const end = (match: RegExpExecArray) => match.index + match[0].length;
    matches.sort((a, b) => end(b) - end(a) || a.index - b.index);
    for (const match of matches) {
      const found = extracted(match.groups!);
      if (found) return found;
    }
  }
  return null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function extracted(groups: Groups): Extracted | null {
  const formula = Object.entries(groups).find(([name, value]) => /^f\d$/.test(name) && value)?.[1];
  if (formula !== undefined) return formulaOf(formula, groups["sign"] !== undefined);
  const { expression, percent } = groups;
  const integer = groups["integer1"] ?? groups["integer2"] ?? groups["integer3"] ?? "";
  const decimal = (groups["decimal1"] ?? groups["decimal2"] ?? groups["decimal3"] ?? "").replace(",", ".");
  if (integer || decimal) {
    const text = (integer.replaceAll(/[ ,]/g, "").replace(/^0+/, "") || "0") + decimal;
    return { value: Number(text), isPercent: percent !== undefined, isWhole: decimal === "", text };
  }
  const value = expression === undefined ? null : arithmetic(expression);
  return value === null ? null : { value, isPercent: false, isWhole: false, text: strip(expression!) };
}

/** A formula: the last box in it, a fraction or a sum of numbers, or as it stands. */
function formulaOf(formula: string, isPercent: boolean): Extracted {
  const text = strip(lastBox(formula).replaceAll(/\\(?:left|right|,|;|!)/g, "")),
    bare = strip(text.replace(/\\?%$/, ""));
  const plainText = bare.replaceAll(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, "(($1)/($2))")
    .replaceAll(/\\(?:times|cdot)/g, "*").replaceAll(/[{}]/g, (bracket) => bracket === "{" ? "(" : ")")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "").replaceAll(/(?<![\d.])0+(?=\d)/g, "");
  // In LaTeX 1e2 is a product, and the sign of -5\% is before a percentage.
  const value = /[a-z]/i.test(plainText) ? null : arithmetic(plainText);
  const isWhole = (bare === text ? /^-?\d+$/ : /^\d+$/).test(plainText);
  return { value, isPercent: isPercent || bare !== text, isWhole, text };
}

const BOXED = String.raw`\boxed{`;

/** What the last box holds, up to the bracket that closes it; the formula where there is none, or it is not closed. */
function lastBox(formula: string): string {
  const at = formula.lastIndexOf(BOXED), start = at + BOXED.length;
  for (let i = start, depth = 1; at >= 0 && i < formula.length; i++) {
    if (formula[i] === "{") depth++;
    if (formula[i] === "}" && --depth === 0) return formula.slice(start, i);
  }
  return formula;
}
