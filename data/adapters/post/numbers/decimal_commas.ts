/**
 * Commas and points that a text sets the other way round: `1,250` is 1.25 where a text writes `0,45`, or in German, French
 * or Russian, and `1.024 Tokens` are a thousand. Every text keeps its length. @module
 */

/** A comma that can only be that of decimals: "0,45", "3,2". */
const SHOWN = /(?<![\d.,])(?:0,\d+|\d+,\d{1,2})(?![\d,]|\s?k(?!\p{L}))/u;
const POINT = /(?<![\d.,])\d+\.\d{1,2}(?![\d.])|(?<![\d.,])0\.\d/;
/** Words of languages that write decimals so, and English ones. */
const OTHERS =
    /(?<!\p{L})(?:von|auf|der|die|das|ist|und|bei|liegt|le|les|est|et|au|vaut|el|los|las|queda|é|são|está)(?!\p{L})|\p{Script=Cyrillic}{2}/iu,
  ENGLISH = /(?<!\p{L})(?:the|is|are|was|from|with|at|and|of|my|we)(?!\p{L})/iu;
/** "1,250" at its comma; a count of tokens, rows or train steps has thousands. */
const THREE =
  /(?<![\d.,])(\d{1,3}),(\d{3})(?!\d|,\d|\.\d|\s?(?:tokens?|steps?|samples?|rows?|examples?|prompts?)(?!\p{L}))/giu;
/** Thousands of tokens, of one number or of two. */
const TOKENS =
  /(?<![\d.,])(\d{1,3})\.(\d{3})(?=(?:\s*(?:auf|bis|à|a|hasta|até|до|→|->|–|-)\s*\d{1,3}\.\d{3})?\s*(?:tokens?|jetons|токен\p{L}*|Zeichen)(?!\p{L}))/giu;

/** A text with points for its decimals, and no marks in its thousands of tokens. */
export function withDecimalPoints(text: string): string {
  const plain = text.replace(TOKENS, " $1$2");
  if (!hasDecimalCommas(plain)) return plain;
  return plain.replace(THREE, "$1.$2");
}

/** True of a text whose commas within numbers are those of decimals. */
const hasDecimalCommas = (text: string): boolean =>
  !POINT.test(text) && (SHOWN.test(text) || OTHERS.test(text) && !ENGLISH.test(text));
