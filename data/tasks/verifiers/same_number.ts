/** Accepts a completion whose last number is the answer's. @module */
import type { PromptRow } from "../task.ts";
import { lastNumber, sameNumber } from "./numbers.ts";

/** True when the last number of the completion is near enough to the last number of the answer. */
export function sameLastNumber(completion: string, row: PromptRow, tolerance = 1e-6, absolute = 0): boolean {
  const found = lastNumber(completion), want = lastNumber(String(row.answer));
  return found !== null && want !== null && sameNumber(found, want, tolerance, absolute);
}
