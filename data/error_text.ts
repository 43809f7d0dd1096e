/** What an error says, whatever was thrown. @module */

/** Its message; of what is no Error, the text of it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MOST = 100, TAIL = 20;

/** A text of a file in an error: its beginning and its end where it is longer than `most` characters. */
export function briefly(text: string, most = MOST): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - TAIL - 1)}…${text.slice(-TAIL)}`.toWellFormed();
}

/** The first line of its message: parsers and runtimes add a picture of the place, or their own stack. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0]!;
}
