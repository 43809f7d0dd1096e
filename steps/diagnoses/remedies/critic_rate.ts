/** A critic whose rate is far beyond the usual one: what a policy lost may be lost to its advantages. @module */
import type { Evidence } from "../view/evidence.ts";
import { isUsualRate, peakLearningRate, usualCriticRate } from "../view/learning_rate.ts";
import { show } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { asNumber, setting, settingEvidence } from "../view/settings.ts";
import type { Patch } from "./patch.ts";

/** Times the usual rate of a critic from which its updates throw its values about. */
export const HIGH_CRITIC_RATE = 10;

/** What it adds to a finding of another cause. */
interface CriticRate {
  readonly says: string;
  readonly evidence: Evidence;
  readonly remedy: Patch;
  readonly hint: string;
}

/** The critic's configured rate, and how many times the usual one it is; null where it is not far beyond. */
export function criticRateTimes(view: RunView): { readonly evidence: Evidence; readonly times: number } | null {
  const entry = setting(view, "critic_learning_rate"), rate = asNumber(entry?.value), usual = usualCriticRate(view);
  if (entry === null || rate === null || rate < HIGH_CRITIC_RATE * usual) return null;
  return { evidence: settingEvidence(entry), times: rate / usual };
}

/** The same as what a foreign run's finding says besides; null too where the policy's own rate is far out. */
export function criticAtFault(view: RunView): CriticRate | null {
  const found = view.imported ? criticRateTimes(view) : null;
  if (found === null || peakLearningRate(view) !== null && !isUsualRate(view)) return null;
  return {
    says: `the critic's learning rate is ${show(found.times)} times what is usual for one`,
    evidence: found.evidence,
    remedy: { step: "update_critic", key: "learning_rate", usual: true },
    hint:
      "Start again, or from a checkpoint before the fall, with a usual learning rate of the critic: advantages carry its error.",
  };
}
