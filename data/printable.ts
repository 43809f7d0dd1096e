/** Text of strangers' as a terminal shows it: nothing in it moves the cursor, the colours or the order of reading. @module */

/** C0, DEL and C1; marks that turn the direction of reading; separators of lines and paragraphs. */
// deno-lint-ignore no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const UNSEEN_OR_COLOR = new RegExp(`\\u001b\\[[\\d;]*m|${UNSEEN.source}`, "g");
const ESCAPE = "\u001b";

/** One line without control characters: a newline is ⏎, a tab a space, another is �. */
export function printable(text: string): string {
  return text.replaceAll("\n", "⏎").replaceAll("\t", " ").replace(UNSEEN, "\ufffd");
}

/** Lines as a terminal shows them: they keep their ends and tabs, and their colours where a terminal has them. */
export function printableLines(text: string, colored: boolean): string {
  return text.replace(UNSEEN_OR_COLOR, (found) => {
    if (found === "\n" || found === "\t" || colored && found.startsWith(ESCAPE) && found.length > 1) return found;
    return `\ufffd${found.slice(1)}`;
  });
}

/** JSON with what a terminal obeys escaped: it means the same. */
export function printableJson(json: string): string {
  return json.replace(UNSEEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
