/** Shortens a quotation between two words, and shows that it is shortened. @module */

/** Share of the room that a cut between words leaves at least: texts without spaces are cut between characters. */
const FILLED = 0.75;

/** The text, or as much of its beginning as has room for "…" in `most` characters. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a character that has two codes is none.
  const head = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  const words = /\s/.test(text[head.length]!) ? head : head.replace(/\s+\S*$/, "");
  return `${(words.length < FILLED * most ? head : words).trimEnd()}…`;
}
