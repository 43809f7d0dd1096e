/** Finds and compares numbers in text. @module */

const NUMBER = /[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+/g;

/**
 * The last number of a text, or null: "so 1,234.5." is 1234.5. Thousands separators are removed; a minus directly after
 * a digit is an operator ("9-4" ends in 4).
 */
export function lastNumber(text: string): number | null {
  let last: number | null = null;
  for (const match of text.matchAll(NUMBER)) {
    const before = text[match.index - 1] ?? "";
    const sign = match[0][0] === "-" || match[0][0] === "+";
    const value = Number((sign && /[\d)]/.test(before) ? match[0].slice(1) : match[0]).replaceAll(",", ""));
    if (Number.isFinite(value)) last = value;
  }
  return last;
}

/** |a - b| <= tolerance * max(1, |b|). */
export function sameNumber(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
}
