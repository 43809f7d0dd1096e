/** The part of a completion that Visual-RFT's rewards judge. @module */

/** Within one line: the original's dot does not match a line end, so that an answer with one counts as without tags. */
const ANSWER = /<answer>([^\n]*?)<\/answer>/;
const ANY_ANSWER = /<answer>([^]*?)<\/answer>/;

/** What stands in the first answer tags, trimmed; without them the whole text. `lines`: tags may hold line ends. */
export function taggedAnswer(text: string, { lines }: { readonly lines: boolean }): string {
  return ((lines ? ANY_ANSWER : ANSWER).exec(text)?.[1] ?? text).trim();
}
