/** Finds and compares numbers in text. @module */

const NUMBER = /[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+/g;

/**
 * The last number of a text, or null: "so 1,234.5." is 1234.5. Thousands separators are removed; a minus directly after
 * a digit is an operator ("9-4" ends in 4). A last number that is too large to be one (1e400) gives null.
 */
export function lastNumber(text: string): number | null {
  let last: number | null = null;
  for (const match of text.matchAll(NUMBER)) {
    const before = text[match.index - 1] ?? "";
    const sign = match[0][0] === "-" || match[0][0] === "+";
    const value = Number((sign && /[\d)]/.test(before) ? match[0].slice(1) : match[0]).replaceAll(",", ""));
    last = Number.isFinite(value) ? value : null;
  }
  return last;
}

/** |a - b| <= max(tolerance * max(|a|, |b|), absolute): near 0 nothing is close to 0 but by `absolute`. */
export function sameNumber(a: number, b: number, tolerance: number, absolute = 0): boolean {
  return Math.abs(a - b) <= Math.max(tolerance * Math.max(Math.abs(a), Math.abs(b)), absolute);
}
