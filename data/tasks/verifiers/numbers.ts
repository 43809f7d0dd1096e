/** Finds and compares numbers in text. @module */
import { plainText } from "./plain_text.ts";
import { isScaling } from "./scaling_words.ts";

const NUMBER = /[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+/g;

/** What joins two numbers to one or to a choice: 3/4, 9-4, 10 to 12; beside each other they are none, as 3.1.2. */
const JOINS = /^:?$|^[ \t]*(?:[-\u2010-\u2015\u2212+*\/^×÷·&]|\*\*|\.\.+|…|\b(?:to|or|and)\b)[ \t]*$/;
/** Said before a number, its sign or an operator: which of them nobody says. */
const NEGATES = /\b(?:minus|negative)\s*$/i;
/** A word behind a number, in LaTeX too: 42 million, 42\text{k}. */
const BEHIND = /^(?:[ \t]|\\[,;:! ]|~|\\(?:text|mathrm|mbox)\w*\s*\{)*([A-Za-z]+)/;

/**
 * The last number of a text, or null: "so 1,234.5." is 1234.5. Thousands separators are removed. A last number that is
 * too large to be one (1e400), that is scaled (42k, 42 million) or a part of something else (10-12, 3/4, 2 or 3) gives
 * null: which number is meant nobody says.
 */
export function lastNumber(written: string): number | null {
  const text = plainText(written);
  let last: number | null = null, end: number | null = null;
  for (const match of text.matchAll(NUMBER)) {
    const sign = /^[-+]/.exec(match[0])?.[0] ?? "",
      isOperator = sign !== "" && /[\d)]/.test(text[match.index - 1] ?? "");
    const value = Number((isOperator ? match[0].slice(1) : match[0]).replaceAll(",", ""));
    const between = end === null ? null : text.slice(end, match.index) + (isOperator ? sign : "");
    const isPart = (between !== null && between.length < 40 && JOINS.test(between)) ||
      NEGATES.test(text.slice(Math.max(0, match.index - 20), match.index));
    end = match.index + match[0].length;
    last = Number.isFinite(value) && !isPart ? value : null;
  }
  const word = end === null ? null : BEHIND.exec(text.slice(end, end + 100));
  return word && isScaling(word[1]!) ? null : last;
}

/** |a - b| <= max(tolerance * max(|a|, |b|), absolute): near 0 nothing is close to 0 but by `absolute`. */
export function sameNumber(a: number, b: number, tolerance: number, absolute = 0): boolean {
  return Math.abs(a - b) <= Math.max(tolerance * Math.max(Math.abs(a), Math.abs(b)), absolute);
}
