/** Finds what a text puts into LaTeX's \\boxed. @module */

const BOX = /\\(?:boxed|fbox)(?![A-Za-z])/g;

/** Characters that are looked at for a box, from the end: an answer is there. */
const MOST_CHARACTERS = 20_000;

/** What the last box holds, and where that box begins and ends; null where there is none, or its brace never closes. */
export function lastBox(
  text: string,
): { readonly inside: string; readonly start: number; readonly end: number } | null {
  const from = Math.max(0, text.length - MOST_CHARACTERS), tail = text.slice(from);
  const start = [...tail.matchAll(BOX)].at(-1)?.index;
  if (start === undefined) return null;
  const rest = tail.slice(start), open = /^\\(?:boxed|fbox)\s*/.exec(rest)![0].length;
  if (rest[open] !== "{") {
    // \boxed 5 holds one token, as in LaTeX; a whole number is what was meant.
    const token = /^(?:-?[\d.,/]+|[A-Za-z])/.exec(rest.slice(open))?.[0].replace(/[.,]+$/, "");
    return token ? { inside: token, start: from + start, end: from + start + open + token.length } : null;
  }
  let depth = 0;
  for (let at = open; at < rest.length; at++) {
    if (rest[at] === "\\") at++;
    else if (rest[at] === "{") depth++;
    else if (rest[at] === "}" && --depth === 0) {
      return { inside: rest.slice(open + 1, at), start: from + start, end: from + start + at + 1 };
    }
  }
  return null;
}
