/** Accepts a completion whose last number is the answer's. @module */
import type { PromptRow } from "../task.ts";
import { lastNumber, sameNumber } from "./numbers.ts";

/** True when the last number of the completion equals the last number of the answer to 1e-6 relative. */
export function sameLastNumber(completion: string, row: PromptRow): boolean {
  const found = lastNumber(completion), want = lastNumber(String(row.answer));
  return found !== null && want !== null && sameNumber(found, want, 1e-6);
}
