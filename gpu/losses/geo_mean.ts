/** GMPO: one ratio per completion, the geometric mean of its tokens' ratios, each bounded. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { rowMean } from "./ratio.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const params = z.strictObject({
  clip_low: z.number().min(0).optional().describe(`geo_mean: bound of the log-ratio below 0, nats; ${CLIP} if absent`),
  clip_high: z.number().min(0).optional().describe(`geo_mean: bound of the log-ratio above 0, nats; ${CLIP} if absent`),
});

/** verl adds it to a sampler weight before its logarithm, so that a weight of 0 has one. */
const TINY = 1e-10;

export interface GeoMeanLoss extends RolloutLoss {
  readonly objective: "geo_mean";
  readonly clipLow: number;
  readonly clipHigh: number;
}

/**
 * -mean advantage · exp(mean over tokens of the bounded log-ratio), per completion; aggregate by sequence_mean.
 * clip_fraction_high tells the tokens of positive advantage beyond a bound, either one, clip_fraction_low those of
 * negative (verl `pg_clipfrac`, `pg_clipfrac_lower`); a completion's sampler weights count by their geometric mean.
 * Source: Zhao et al. 2025 (GMPO); verl `core_algos.compute_policy_loss_geo_mean`.
 */
export const geoMean = rolloutObjective<GeoMeanLoss, typeof params, "clip_fraction_low" | "clip_fraction_high">({
  method: {
    formula: "-Ā·exp(mean of s·min(s·d, s·clip(d, -clip_low, clip_high))), d = lp - old, s = sign A",
    source: "Zhao et al. 2025 (GMPO); verl core_algos.compute_policy_loss_geo_mean",
    names: {
      verl: "policy_loss.loss_mode=geo_mean: clip_ratio_low 0.2, clip_ratio_high 0.2; mean over all completions",
    },
  },
  params,
  lossOf: ({ clip_low, clip_high }) => ({
    objective: "geo_mean",
    clipLow: clip_low ?? CLIP,
    clipHigh: clip_high ?? CLIP,
  }),
  settings: ({ clipLow, clipHigh }) => ({ clip_low: clipLow, clip_high: clipHigh }),
  isMinusAdvantage: () => false,
  usesSamplerWeights: true,
  metrics: { clip_fraction_low: () => ({ over: "token" }), clip_fraction_high: () => ({ over: "token" }) },
  terms(loss, { advantages, mask, logRatio, input }) {
    const sign = advantages.sign(), bounded = logRatio.clip(-loss.clipLow, loss.clipHigh);
    const isBounded = sign.mul(logRatio).greater(sign.mul(bounded));
    const kept = isBounded.where(bounded, logRatio).mul(sign.mul(sign));
    const plain = rowMean(advantages, mask).mul(rowMean(kept, mask).exp()).neg();
    const share = (side: Value) => bounded.equal(logRatio).where(0, side.cast(advantages.dtype));
    // Where nothing counts a weight may be 0, whose logarithm must not.
    const weights = () => mask.greater(0).where(input("sampler_weights").add(TINY).log(), 0);
    return {
      loss: loss.samplerWeights ? plain.mul(rowMean(weights(), mask).exp()) : plain,
      metrics: {
        clip_fraction_high: share(advantages.greater(0)),
        clip_fraction_low: share(advantages.less(0)),
      },
    };
  },
});
