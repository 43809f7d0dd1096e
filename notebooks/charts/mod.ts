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
import { reward } from "./reward.ts";
import { truncation } from "./truncation.ts";
import { values } from "./values.ts";
import { zeroSpread } from "./zero_spread.ts";

export const CHARTS = {
  reward,
  accuracy,
  entropy,
  kl,
  completion_length: completionLength,
  truncation,
  grad_norm: gradNorm,
  zero_spread: zeroSpread,
  loss,
  values,
  critic,
  phase_times: phaseTimes,
} as const satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;
