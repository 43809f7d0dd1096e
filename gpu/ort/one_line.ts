/** The first line of an error: what a message quotes of its cause. @module */

export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
