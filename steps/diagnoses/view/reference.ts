/** Whether the rewards of pairs are measured from a reference policy. @module */
import { AGREEING_RECORDS, isNumber } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { setting } from "./settings.ts";
import { PAIR_SIDES } from "./first_updates.ts";

/** Losses without a reference, as TRL and others name them. */
const WITHOUT = /(^|[^a-z])(simpo|cpo|orpo|cpo_simpo|alphapo)([^a-z]|$)/i;
const SAME = 2e-3; // Relative difference that the rounding of a reward with three digits leaves.

/**
 * True where rewards are not 0 before the first update: ORPO (Hong et al. 2024), CPO (Xu et al. 2024) and SimPO (Meng et
 * al. 2024) take beta times the log-probability itself, so that one is the same multiple of the other on every record.
 */
export function isReferenceFree(view: RunView): boolean {
  return view.memo(
    "reference free",
    () =>
      view.settings.some(({ name, value }) => name === "reference_free" && value === true) ||
      WITHOUT.test(String(setting(view, "loss")?.value ?? "")) || PAIR_SIDES.every((side) => isMultiple(view, side)),
  );
}

function isMultiple(view: RunView, side: typeof PAIR_SIDES[number]): boolean {
  const rewards = view.column(side.replace("logprob", "reward")), logprobs = view.column(side);
  const times = rewards.flatMap((reward, record) => {
    const logprob = logprobs[record];
    return isNumber(reward) && isNumber(logprob) && logprob !== 0 ? [reward / logprob] : [];
  });
  const [first] = times;
  return first !== undefined && first > 0 && times.length >= AGREEING_RECORDS &&
    times.every((one) => Math.abs(one - first) <= SAME * first);
}
