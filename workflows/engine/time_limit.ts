/** The time that a step has. @module */
import type { PlannedStep } from "../plan/plan.ts";

/** A step ran longer than its `timeout-minutes`. */
export class StepTimeoutError extends Error {
  override readonly name = "StepTimeoutError";
}

/** `over` rejects when a step has run longer than its `timeout-minutes`, after `giveUp`. */
export function timeLimit(
  { id, timeoutMinutes: minutes }: Pick<PlannedStep, "id" | "timeoutMinutes">,
  giveUp: (error: StepTimeoutError) => void,
) {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = minutes === null ? undefined : setTimeout(() => {
    const error = new StepTimeoutError(`Cannot finish step "${id}": it ran longer than its timeout-minutes ${minutes}`);
    giveUp(error);
    reject(error);
  }, minutes * 60_000);
  return { over, clear: () => clearTimeout(timer) };
}
