/** White space as Python has it: what `\s` of its patterns matches and `str.strip` takes away. @module */

/**
 * What stands between the brackets of a class of characters: U+001C to U+001F and U+0085 as well, which JavaScript's `\s`
 * leaves, and not U+FEFF, which it takes (CPython Objects/unicodetype_db.h `_PyUnicode_IsWhitespace`).
 */
export const SPACES = String
  .raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

const SPACE = new RegExp(`[${SPACES}]`);

/** A pattern's source in which `\s` outside of brackets means what it means in Python. */
export const inPython = (source: string): string => source.replaceAll("\\s", `[${SPACES}]`);

/** `str.strip()`; without a pattern, which takes time by the square where white space stands within the text. */
export function strip(text: string): string {
  let start = 0, end = text.length;
  while (start < end && SPACE.test(text[start]!)) start++;
  while (end > start && SPACE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}
