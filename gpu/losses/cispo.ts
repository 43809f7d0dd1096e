/** CISPO: the ratio weighs the log-probability, bounded and without gradient, so that no token loses its own. @module */
import { z } from "zod";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { RATIO_OPTIONS } from "./ratio.ts";
import { ratioUnit, rolloutObjective, shareOf } from "./rollout_objective.ts";

const params = z.strictObject({
  clip_low: z.number().min(0).nullable().optional().describe(
    `cispo: the weight is at least 1 minus this, null = no lower bound; ${CLIP} if absent, none beside ratio_cap`,
  ),
  clip_high: z.number().min(0).optional().describe(
    `cispo: the weight is at most 1 plus this (verl); ${CLIP} if absent`,
  ),
  ratio_cap: z.number().positive().nullable().optional().describe(
    "cispo: the weight is at most this (TRL's epsilon_high, which is the cap itself), in place of clip_high; no lower " +
      "bound then unless clip_low sets one",
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

type Bounds = Pick<z.output<typeof params>, "clip_low" | "clip_high" | "ratio_cap">;

/** What is wrong with the bounds together. */
function boundProblems({ clip_low, clip_high, ratio_cap = null }: Bounds): string[] {
  if (ratio_cap === null) return [];
  if (clip_high !== undefined) {
    return [
      `Cannot bound the weight of loss "cispo" by clip_high ${clip_high} and ratio_cap ${ratio_cap}: each is its upper ` +
      "bound, want one of them; leave the other out, or the preset that brings it",
    ];
  }
  const lowest = clip_low == null ? null : 1 - clip_low;
  return lowest === null || lowest <= ratio_cap ? [] : [
    `Cannot bound the weight of loss "cispo" by 1 - clip_low = ${lowest} and ratio_cap ${ratio_cap}: the lower bound is ` +
    "above the upper, want it at most that; raise clip_low, or leave it out",
  ];
}

/**
 * -sg(clip(ratio, lowest, highest)) · advantage · logprobs, per token.
 * Source: MiniMax-M1 2025 eq. 4; TRL `grpo_trainer._compute_loss`; verl `core_algos.compute_policy_loss_cispo`.
 */
export const cispo = rolloutObjective<CispoLoss, typeof params, "clip_fraction">({
  method: {
    formula: "-sg(clip(r, 1 - clip_low, 1 + clip_high))·A·lp; with ratio_cap -sg(min(r, ratio_cap))·A·lp, " +
      "or -sg(clip(r, 1 - clip_low, ratio_cap))·A·lp where clip_low is set too",
    source: "MiniMax-M1 2025 (CISPO) eq. 4; TRL grpo_trainer._compute_loss; verl core_algos.compute_policy_loss_cispo",
    names: {
      trl: "loss_type=cispo: ratio_cap is epsilon_high (default epsilon 0.2), no lower bound",
      verl: "policy_loss.loss_mode=cispo: clip_ratio_low 0.2, clip_ratio_high 0.2, log-ratio bounded to ±20",
    },
  },
  params,
  lossOf({ clip_low, clip_high = CLIP, ratio_cap = null, ratio_level, log_ratio_bound }) {
    const below = clip_low === undefined && ratio_cap === null ? CLIP : clip_low ?? null;
    return {
      objective: "cispo",
      lowest: below === null ? null : 1 - below,
      highest: ratio_cap ?? 1 + clip_high,
      counts: ratio_cap === null ? "all" : "positive",
      ...(ratio_level ? { ratioLevel: ratio_level } : {}),
      ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
    };
  },
  problems: boundProblems,
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
