/** Text of strangers' as a terminal shows it: nothing in it moves the cursor, the colours or the order of reading. @module */

/** C0, DEL and C1; marks that turn the direction of reading; separators of lines and paragraphs. */
// deno-lint-ignore no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line without control characters: a newline is ⏎, a tab a space, another is �. */
export function printable(text: string): string {
  return text.replaceAll("\n", "⏎").replaceAll("\t", " ").replace(UNSEEN, "\ufffd");
}
