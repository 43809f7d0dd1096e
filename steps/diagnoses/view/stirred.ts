/** Whether training on pairs has moved its policy at all: until then labels cannot be judged. @module */
import { startLoss } from "./groups.ts";
import { median } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { settingNumber } from "./settings.ts";

/**
 * Nats of a whole text by which a policy that has moved lies from its reference: sums over hundreds of tokens in bfloat16
 * differ by hundredths where nothing moved. Share of the untrained loss by which the loss of such a policy lies off.
 */
export const STIR_NATS = 0.1, STIR_LOSS = 0.01;
const USUAL_BETA = 0.1; // Of TRL, OpenRLHF and LLaMA-Factory alike, where a log does not say.

/** What the second half of the records shows. */
interface Stir {
  readonly moved: boolean;
  /** The larger side's median size. */
  readonly reward: number;
}

/** Null where no implicit rewards are printed, or too coarsely to tell. */
export function stirOf(view: RunView): Stir | null {
  const beta = settingNumber(view, "kl_coef") ?? 0, least = STIR_NATS * (beta > 0 ? beta : USUAL_BETA);
  const sides = ["chosen_reward", "rejected_reward"].filter((name) => view.has(name) && view.rounding(name) <= least);
  if (sides.length === 0) return null;
  const reward = Math.max(...sides.map((name) => lateSize(view.finite(name))));
  const loss = lateSize(view.finite("loss").map((value) => value / startLoss(view) - 1));
  return { moved: reward > least || loss > STIR_LOSS, reward };
}

const lateSize = (values: readonly number[]) => median(values.slice(values.length >> 1).map(Math.abs));
