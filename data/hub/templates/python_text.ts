/** Methods of Python's texts that JavaScript's do otherwise. @module */

/** What Python's strip() takes for white space. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** `strip`, `lstrip` and `rstrip`: without white space, or without any of some characters, at the ends. */
export function stripped(text: string, characters: string | null, method: string): string {
  const points = Array.from(text), isSpace = new RegExp(`^[${SPACE}]$`, "u");
  const goes = characters === null ? (char: string) => isSpace.test(char) : (char: string) => own.has(char);
  const own = new Set(characters ?? "");
  let from = 0, to = points.length;
  while (method !== "rstrip" && from < to && goes(points[from]!)) from++;
  while (method !== "lstrip" && to > from && goes(points[to - 1]!)) to--;
  return points.slice(from, to).join("");
}

export const capitalized = (text: string) =>
  text.replace(/^./su, (first) => first.toUpperCase()).replace(/(?<=^.).*/su, (rest) => rest.toLowerCase());

/** Python's str.title: a letter behind another character is large, every other small. */
export const titleCased = (text: string) =>
  text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

/** Jinja's: each part behind white space, "-" or a bracket. */
export const titled = (text: string) =>
  text.split(/([-\s({[<]+)/u).map((part) =>
    part.replace(/^(.)(.*)$/su, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase())
  ).join("");

/** Python's float of a text; null where it is none that is finite. */
export function decimalOf(text: string): number | null {
  const plain = stripped(text, null, "strip");
  if (!/^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+)?$/.test(plain)) return null;
  const value = Number(plain.replaceAll("_", ""));
  return Number.isFinite(value) ? value : null;
}
