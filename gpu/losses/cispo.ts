/** CISPO: the ratio weighs the log-probability, bounded and without gradient, so that no token loses its own. @module */
import { z } from "zod";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { RATIO_OPTIONS } from "./ratio.ts";
import { ratioUnit, rolloutObjective, shareOf } from "./rollout_objective.ts";

const params = z.strictObject({
  clip_low: z.number().min(0).nullable().optional().describe(
    `cispo: the weight is at least 1 minus this, null = no lower bound; ${CLIP} if absent`,
  ),
  clip_high: z.number().min(0).optional().describe(
    `cispo: the weight is at most 1 plus this (verl); ${CLIP} if absent`,
  ),
  ratio_cap: z.number().positive().nullable().optional().describe(
    "cispo: the weight is at most this (TRL's epsilon_high, which is the cap itself); takes the place of clip_high",
  ),
  ...RATIO_OPTIONS,
});

export interface CispoLoss extends RolloutLoss {
  readonly objective: "cispo";
  /** Bounds of the ratio as a weight; null = none. */
  readonly lowest: number | null;
  readonly highest: number;
  /** What clip_fraction counts: bounded from above with a positive advantage (TRL), or bounded at all (verl). */
  readonly counts: "positive" | "all";
}

/**
 * -sg(clip(ratio, lowest, highest)) · advantage · logprobs, per token.
 * Source: MiniMax-M1 2025 eq. 4; TRL `grpo_trainer._compute_loss`; verl `core_algos.compute_policy_loss_cispo`.
 */
export const cispo = rolloutObjective<CispoLoss, typeof params, "clip_fraction">({
  method: {
    formula: "-sg(clip(r, 1 - clip_low, 1 + clip_high))·A·lp; with ratio_cap -sg(min(r, ratio_cap))·A·lp",
    source: "MiniMax-M1 2025 (CISPO) eq. 4; TRL grpo_trainer._compute_loss; verl core_algos.compute_policy_loss_cispo",
    names: {
      trl: "loss_type=cispo: ratio_cap is epsilon_high (default epsilon 0.2), no lower bound",
      verl: "policy_loss.loss_mode=cispo: clip_ratio_low 0.2, clip_ratio_high 0.2, log-ratio bounded to ±20",
    },
  },
  params,
  lossOf: ({ clip_low = CLIP, clip_high = CLIP, ratio_cap = null, ratio_level, log_ratio_bound }) => ({
    objective: "cispo",
    lowest: clip_low === null ? null : 1 - clip_low,
    highest: ratio_cap ?? 1 + clip_high,
    counts: ratio_cap === null ? "all" : "positive",
    ...(ratio_level ? { ratioLevel: ratio_level } : {}),
    ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
  }),
  settings: ({ lowest, highest }) => ({ ratio_lowest: lowest, ratio_highest: highest }),
  isMinusAdvantage: () => false,
  metrics: { clip_fraction: (loss) => ({ over: ratioUnit(loss) }) },
  terms(loss, { advantages, logprobs, ratio }) {
    const weight = ratio.clip(loss.lowest, loss.highest).stopGradient();
    const bound = loss.counts === "all"
      ? ratio.equal(weight).where(0, 1).greater(0)
      : ratio.greater(loss.highest).and(advantages.greater(0));
    return {
      loss: weight.mul(advantages).mul(logprobs).neg(),
      metrics: { clip_fraction: shareOf(bound, ratioUnit(loss), advantages.dtype) },
    };
  },
});
