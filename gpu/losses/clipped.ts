/** The clipped objective of PPO and GRPO. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { RATIO_OPTIONS, type RatioLevel, rowMean } from "./ratio.ts";
import { ratioUnit, rolloutObjective, shareOf } from "./rollout_objective.ts";

const params = z.strictObject({
  clip_low: z.number().min(0).optional().describe(`ε below 1; ${CLIP} if absent`),
  clip_high: z.number().min(0).optional().describe(`ε above 1; ${CLIP} if absent`),
  ratio_cap: z.number().min(1).nullable().optional().describe(
    "upper bound of the ratio where the advantage is negative (dual clip; TRL delta); none if absent or null",
  ),
  clip_on: z.enum(["ratio", "loss"]).optional().describe(
    "what ratio_cap bounds and clip fractions count: the ratio (TRL), or the loss of negative advantages (verl, OpenRLHF); ratio if absent",
  ),
  ...RATIO_OPTIONS,
});

export interface ClippedLoss extends RolloutLoss {
  readonly objective: "clipped";
  /** Ratios below 1 - clipLow earn nothing more where the advantage is negative. */
  readonly clipLow: number;
  /** Ratios above 1 + clipHigh earn nothing more where it is positive. */
  readonly clipHigh: number;
  /** Upper bound of the ratio where the advantage is negative (TRL `delta`, verl `clip_ratio_c`), or null. */
  readonly ratioCap: number | null;
  /** `ratio` where absent. They differ for a cap below 1 + clipHigh and for infinite advantages. */
  readonly clipOn?: "ratio" | "loss";
  readonly ratioLevel: RatioLevel;
}

/** What clip fractions are of: of losses every token's, even where a completion has one ratio. */
function countedUnit(loss: ClippedLoss): "token" | "sequence" {
  return loss.clipOn === "loss" ? "token" : ratioUnit(loss);
}

type Fractions =
  | "clip_fraction"
  | "clip_fraction_low"
  | "clip_fraction_high"
  | "clip_fraction_low_min"
  | "clip_fraction_high_max"
  | "dual_clip_fraction";

/**
 * Clipped policy-gradient loss (PPO eq. 7, GRPO eq. 3) per token; per completion at the levels of a sequence.
 *
 * advantages   float [B, T], zero mean within a group
 * metrics      shares of ratios that lost their gradient to a bound, at either end and to the cap; at sequence level of
 *              completions (TRL `clip_ratio/region_mean`, `low_mean`, `high_mean`; verl `pg_clipfrac`, `pg_clipfrac_lower`)
 *
 * When every ratio is 1 the loss is -advantage and its gradient is not 0.
 * Source: TRL `grpo_trainer._compute_loss`; verl `core_algos.compute_policy_loss_vanilla`, `_gspo`; OpenRLHF `PolicyLoss`.
 */
export const clipped = rolloutObjective<ClippedLoss, typeof params, Fractions>({
  method: {
    formula: "-min(min(r, cap)·A, clip(r, 1 - clip_low, 1 + clip_high)·A); with clip_on loss, cap only where A < 0",
    source: "Schulman et al. 2017 (PPO) eq. 7; Shao et al. 2024 (GRPO) eq. 3; Ye et al. 2020 (dual clip); " +
      "Zheng et al. 2025 (GSPO) eq. 7; TRL grpo_trainer._compute_loss",
    names: {
      trl: "loss_type=grpo, bnpo, dr_grpo, dapo (default), luspo: epsilon 0.2, epsilon_high None, delta None; " +
        "RLOO: ratio_level sequence_sum",
      verl: "policy_loss.loss_mode=vanilla (default): clip_ratio_low 0.2, clip_ratio_high 0.2, clip_ratio_c 3; gspo",
      openrlhf: "actor.policy_loss_type=ppo (default), gspo: actor.eps_clip 0.2, actor.dual_clip None",
      visual_rft: "the only one, always on policy and without bounds",
    },
  },
  params,
  lossOf: ({ clip_low, clip_high, ratio_cap, clip_on, ratio_level, log_ratio_bound }) => ({
    objective: "clipped",
    clipLow: clip_low ?? CLIP,
    clipHigh: clip_high ?? CLIP,
    ratioCap: ratio_cap ?? null,
    ...(clip_on === "loss" ? { clipOn: "loss" } : {}),
    ratioLevel: ratio_level ?? "token",
    ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
  }),
  settings: ({ clipLow, clipHigh }) => ({ clip_low: clipLow, clip_high: clipHigh }),
  isMinusAdvantage: ({ ratioLevel }) => ratioLevel === "token",
  metrics: {
    clip_fraction: (loss) => ({ over: countedUnit(loss) }),
    clip_fraction_low: (loss) => ({ over: countedUnit(loss) }),
    clip_fraction_high: (loss) => ({ over: countedUnit(loss) }),
    clip_fraction_low_min: () => ({ over: "sequence", reduce: "min" }),
    clip_fraction_high_max: () => ({ over: "sequence", reduce: "max" }),
    dual_clip_fraction: (loss) => loss.ratioCap === null ? null : { over: countedUnit(loss) },
  },
  terms(loss, { advantages, mask, ratio }) {
    const { clipLow, clipHigh, ratioCap } = loss, onLoss = loss.clipOn === "loss";
    const low = 1 - clipLow, high = 1 + clipHigh;
    const capped = ratioCap === null || onLoss ? ratio : ratio.clip(null, ratioCap);
    const free = capped.mul(advantages), bounded = ratio.clip(low, high).mul(advantages);
    const worse = bounded.less(free), surrogate = onLoss ? lesser(free, bounded, worse) : free.min(bounded);
    const floor = onLoss && ratioCap !== null ? advantages.mul(ratioCap) : null;
    const kept = floor ? advantages.less(0).where(surrogate.max(floor), surrogate) : surrogate;
    const unit = countedUnit(loss), over = (bound: Value) => shareOf(bound, unit, advantages.dtype);
    const ofRow = (share: Value, nothing: number) =>
      unit === "token" ? mask.sum([1]).greater(0).where(rowMean(share, mask), nothing) : share;
    const below = advantages.less(0), above = advantages.greater(0);
    const atLow = (onLoss ? worse : ratio.less(low)).and(below);
    const atHigh = (onLoss ? worse : capped.greater(high)).and(above);
    const atCap = floor ? surrogate.less(floor) : ratioCap === null ? null : ratio.greater(ratioCap);
    return {
      loss: kept.neg(),
      metrics: {
        clip_fraction: over(onLoss ? worse : atLow.or(atHigh)),
        clip_fraction_low: over(atLow),
        clip_fraction_high: over(atHigh),
        clip_fraction_low_min: ofRow(over(atLow), Infinity),
        clip_fraction_high_max: ofRow(over(atHigh), -Infinity),
        ...(atCap ? { dual_clip_fraction: over(atCap.and(below)) } : {}),
      },
    };
  },
});

/** min(free, bounded), whose gradient of NaN goes to the lesser alone; ties share it. */
function lesser(free: Value, bounded: Value, isBounded: Value): Value {
  return isBounded.where(bounded, free.less(bounded).where(free, free.add(bounded).mul(0.5)));
}
