/** Every chart, in the order of the report. @module */
import { accuracy } from "./accuracy.ts";
import { advantage } from "./advantage.ts";
import type { Chart } from "./chart.ts";
import { clipFraction } from "./clip_fraction.ts";
import { completionLength } from "./completion_length.ts";
import { critic } from "./critic.ts";
import { criticValues } from "./critic_values.ts";
import { difficulty } from "./difficulty.ts";
import { entropy } from "./entropy.ts";
import { findings } from "./findings.ts";
import { gradNorm } from "./grad_norm.ts";
import { gradients } from "./gradients.ts";
import { groups } from "./groups.ts";
import { iou } from "./iou.ts";
import { kl } from "./kl.ts";
import { loss } from "./loss.ts";
import { phaseTimes } from "./phase_times.ts";
import { preferenceAccuracy } from "./preference_accuracy.ts";
import { preferenceLogprobs } from "./preference_logprobs.ts";
import { ratios } from "./ratios.ts";
import { relativeUpdate } from "./relative_update.ts";
import { reward } from "./reward.ts";
import { rewardMargin } from "./reward_margin.ts";
import { samplerGap } from "./sampler_gap.ts";
import { tokensPerSecond } from "./tokens_per_second.ts";
import { truncation } from "./truncation.ts";
import { updateSize } from "./update_size.ts";
import { valueLoss } from "./value_loss.ts";
import { values } from "./values.ts";
import { zeroSpread } from "./zero_spread.ts";

export const CHARTS = {
  findings,
  reward,
  accuracy,
  iou,
  reward_margin: rewardMargin,
  preference_accuracy: preferenceAccuracy,
  preference_logprobs: preferenceLogprobs,
  entropy,
  kl,
  completion_length: completionLength,
  truncation,
  difficulty,
  zero_spread: zeroSpread,
  advantage,
  groups,
  loss,
  grad_norm: gradNorm,
  gradients,
  update_size: updateSize,
  relative_update: relativeUpdate,
  clip_fraction: clipFraction,
  ratios,
  sampler_gap: samplerGap,
  values,
  critic,
  critic_values: criticValues,
  value_loss: valueLoss,
  phase_times: phaseTimes,
  tokens_per_second: tokensPerSecond,
} as const satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;

/** What a report groups charts by, in their order; one that is in no group stands below the others. */
export const CHART_GROUPS = {
  "What is learned": ["reward", "accuracy", "iou", "reward_margin", "preference_accuracy", "preference_logprobs"],
  "What is sampled": ["entropy", "kl", "completion_length", "truncation", "difficulty"],
  "What is taught": ["zero_spread", "advantage", "groups"],
  "The updates": [
    "loss",
    "grad_norm",
    "gradients",
    "update_size",
    "relative_update",
    "clip_fraction",
    "ratios",
    "sampler_gap",
  ],
  "The critic": ["values", "critic", "critic_values", "value_loss"],
  "Time": ["phase_times", "tokens_per_second"],
} as const satisfies Record<string, readonly ChartName[]>;
