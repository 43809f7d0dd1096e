/** What somebody wrote on a line, without the marks of Markdown and a picture's mistakes. @module */
import { mendedWords } from "./misread.ts";

/** Code between backticks, whose words are nobody's. */
const CODE = /self\.|return |==|\bif\b|\bfor\b|\bdef\b|\+=|\(/;

/** `_so_`, and no name with a stroke in it. */
const EMPHASIS = /(?<![\p{L}\d_])_([^\s_](?:[^_\n]{0,80}[^\s_])?)_(?![\p{L}\d_])/gu;

export function plainProse(text: string): string {
  const bare = text.replace(/`[^`]*`/g, (span) => CODE.test(span) ? " " : span)
    .replace(EMPHASIS, "$1")
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/\*\*|__|`|<\/?(?:b|i|em|strong|code|sub|sup|kbd|br)\s*\/?>/g, "")
    .replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "");
  return mendedWords(bare);
}

/** More than a name: three words, as many signs of a script without spaces, or a figure. */
const SAID = /\S+\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{5}|\d/u;

/** What stands in the cells of a row of a table: a name and its value, or several statements. */
export function plainRow(text: string): string {
  const cells = text.split("|").map((cell) => cell.trim()).filter((cell) => cell !== "" && !/^:?-+:?$/.test(cell));
  // A name in a cell of its own is no statement: "bigram repetition".
  const said = cells.length <= 2 ? cells : cells.filter((cell) => SAID.test(cell));
  return plainProse(said.join(cells.length === 2 ? " " : "；"));
}
