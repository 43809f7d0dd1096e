/** Accepts a completion that is the answer, letter by letter. @module */
import type { PromptRow } from "../task.ts";

/** True when the completion equals the row's answer, white space around both ignored. */
export function sameAnswer(completion: string, row: PromptRow): boolean {
  return completion.trim() === String(row.answer).trim();
}
