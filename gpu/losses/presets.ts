/** The names that TRL and verl give to a loss, as settings of the clipped one: an aggregation, clip bounds. @module */
import type { Aggregation } from "./aggregations.ts";

/** ε of PPO (section 6.1), the default of TRL and verl. */
export const CLIP = 0.2;

export interface LossPreset {
  readonly aggregation: Aggregation;
  readonly clip_low: number;
  readonly clip_high: number;
  /** Upper bound of the ratio where the advantage is negative (dual clip), or null. */
  readonly ratio_cap: number | null;
  readonly ratio_level: "token" | "sequence";
}

export const LOSS_PRESETS = {
  grpo: { aggregation: "sequence_mean", clip_low: CLIP, clip_high: CLIP, ratio_cap: null, ratio_level: "token" },
  bnpo: { aggregation: "token_mean", clip_low: CLIP, clip_high: CLIP, ratio_cap: null, ratio_level: "token" },
  dr_grpo: { aggregation: "sequence_sum_norm", clip_low: CLIP, clip_high: CLIP, ratio_cap: null, ratio_level: "token" },
  dapo: { aggregation: "rollout_token_mean", clip_low: CLIP, clip_high: 0.28, ratio_cap: null, ratio_level: "token" },
  vanilla: { aggregation: "token_mean", clip_low: CLIP, clip_high: CLIP, ratio_cap: 3, ratio_level: "token" },
  gspo: { aggregation: "sequence_mean", clip_low: 3e-4, clip_high: 4e-4, ratio_cap: null, ratio_level: "sequence" },
} as const satisfies Record<string, LossPreset>;

export type LossPresetName = keyof typeof LOSS_PRESETS;
