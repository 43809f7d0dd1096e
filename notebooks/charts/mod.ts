/** Every chart, in the order of the report. @module */
import { accuracy } from "./accuracy.ts";
import type { Chart } from "./chart.ts";
import { critic } from "./critic.ts";
import { completionLength } from "./completion_length.ts";
import { entropy } from "./entropy.ts";
import { gradNorm } from "./grad_norm.ts";
import { kl } from "./kl.ts";
import { loss } from "./loss.ts";
import { phaseTimes } from "./phase_times.ts";
import { preferenceAccuracy } from "./preference_accuracy.ts";
import { preferenceLogprobs } from "./preference_logprobs.ts";
import { reward } from "./reward.ts";
import { rewardMargin } from "./reward_margin.ts";
import { truncation } from "./truncation.ts";
import { valueLoss } from "./value_loss.ts";
import { values } from "./values.ts";
import { zeroSpread } from "./zero_spread.ts";

export const CHARTS = {
  reward,
  accuracy,
  reward_margin: rewardMargin,
  preference_accuracy: preferenceAccuracy,
  preference_logprobs: preferenceLogprobs,
  entropy,
  kl,
  completion_length: completionLength,
  truncation,
  grad_norm: gradNorm,
  zero_spread: zeroSpread,
  loss,
  values,
  critic,
  value_loss: valueLoss,
  phase_times: phaseTimes,
} as const satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;
