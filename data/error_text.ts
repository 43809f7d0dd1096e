/** What an error says, whatever was thrown. @module */

/** Its message; of what is no Error, the text of it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first line of its message: parsers and runtimes add a picture of the place, or their own stack. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0]!;
}
