/** Letters that were lost where a text was saved in another encoding: they stand all over a line, and are nobody's output. @module */

const LOST = /\ufffd+/g, SEVERAL = 4; // Places of a line.
/** What is quoted is what a model wrote. */
const QUOTED = /["“'`「『][^"”'`」』]*\ufffd[^"”'`」』]*["”'`」』]/;

/** The line with spaces where its letters are lost; as it is where it quotes such signs, or has them in a few places. */
export function withoutLostLetters(text: string): string {
  if (!text.includes("\ufffd") || QUOTED.test(text)) return text;
  return (text.match(LOST)?.length ?? 0) < SEVERAL ? text : text.replace(LOST, " ");
}
