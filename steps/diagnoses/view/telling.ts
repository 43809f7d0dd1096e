/** Whether a run prints what a verdict needs, and how that ends. @module */
import { isNonFinite } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

/** Metrics without which nothing can be said about a run. */
export const TELLING = [
  "loss",
  "policy_loss",
  "reward",
  "grad_norm",
  "kl",
  "entropy",
  "chosen_reward",
  "reward_margin",
];

/** None of them is there. */
export function isSilent(view: RunView): boolean {
  return !TELLING.some((name) => view.column(name).some((value) => value !== null));
}

/** What is not finite in the last record, whatever the reason: such a run is never healthy. */
export function endsNotFinite(view: RunView): string | null {
  const last = view.records - 1;
  const name = ["loss", "grad_norm"].find((column) => isNonFinite(view.column(column)[last]));
  return name === undefined ? null : `${name} is ${view.column(name)[last]} in the last record, and no rule says why`;
}
