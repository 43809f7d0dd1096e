/** A piece of a record, as it is copied out of a log: `'loss': 0.0, 'reward': 0.5, ...` with its braces lost. @module */

const VALUE =
  `(?:-?\\d+(?:[.,]\\d+)*\\.?(?:[eE][-+]?\\d+)?%?|-?(?:nan|NaN|inf|Infinity)|None|null|"[^"]*"|'[^']*'|\\[[^\\]]{0,2000}\\])`;
/** A quoted name with its value. */
const PAIR = new RegExp(`(["'])([\\w /().@-]{1,120})\\1\\s*:\\s*${VALUE}`, "g");
/** A dict that whoever copied it cut short. */
const CUT = /,?\s*(?:\.\.\.|…)\s*\}\s*$/;
const TWO = 2;

/** The line as a whole dict, where it holds pairs of one and no whole one; null elsewhere. */
export function mendedFragment(text: string): string | null {
  if (text.length > 20_000 || !/["']\s*:/.test(text)) return null;
  if (isWhole(text) && !CUT.test(text.slice(-20))) return null;
  const pairs = [...text.matchAll(PAIR)].map(([pair]) => pair);
  const covered = pairs.reduce((sum, pair) => sum + pair.length + 2, 0);
  if (pairs.length === 0 || pairs.length < TWO && covered < 0.8 * text.trim().length || covered < 0.4 * text.length) {
    return null;
  }
  return `{${pairs.join(", ")}}`;
}

function isWhole(text: string): boolean {
  const open = text.indexOf("{");
  return open >= 0 && text.includes("}", open);
}
