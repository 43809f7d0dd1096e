/** verl's rollout correction against that of `apply_update`: weights, rejection, every metric. @module */
import { rejectionBounds } from "../../../steps/corrections/rejection.ts";
import { rolloutCorrection } from "../../../steps/corrections/rollout_correction.ts";
import { parseRejection, parseWeightThreshold } from "../../../steps/corrections/thresholds.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly rollout_is?: string | null;
  readonly rollout_is_threshold?: unknown;
  readonly rollout_is_batch_normalize?: boolean;
  readonly rollout_rs?: string | null;
  readonly rollout_rs_threshold?: unknown;
}
interface Inputs {
  readonly old_logprobs?: Matrix;
  readonly sampling_logprobs?: Matrix;
  readonly completion_mask?: Matrix;
}

/** The options as ours. Throws for those that verl raises on. */
export function correctionOf(params: Params) {
  const { rollout_is: level, rollout_rs: criteria } = params;
  return {
    weights: level === undefined || level === null ? null : weightsOf(level, params.rollout_is_threshold ?? 2),
    normalize: params.rollout_is_batch_normalize ?? false,
    reject: criteria === undefined || criteria === null ? [] : bounds(criteria, params.rollout_rs_threshold),
  };
}

const bounds = (criteria: string, thresholds: unknown) =>
  parseRejection(criteria, thresholds).map(([name, written]) => [name, rejectionBounds(name, written)] as const);

function weightsOf(level: string, threshold: unknown) {
  if (level !== "token" && level !== "sequence") {
    throw new RangeError(`Cannot weigh by "${level}": want token or sequence`);
  }
  const bounds = parseWeightThreshold(threshold);
  return { level, bounds, outside: bounds[0] === null ? "truncate" : "mask" } as const;
}

/** What a case without inputs stands for: a rollout of which no token counts. */
const NOTHING = [[0, 0]];

export const verlRolloutCorrection = defineTopic<Params, Inputs>({
  about: "verl rollout_corr_helper.py: sampler weights, rejection and metrics (steps/corrections/)",
  takes: {
    verl_rollout_correction: () => true,
    edge: ({ name }) => name.startsWith("verl/rollout_correction"),
  },
  evaluate({ params, inputs: { old_logprobs = NOTHING, sampling_logprobs = NOTHING, completion_mask = NOTHING } }) {
    const given = correctionOf(params);
    const { weights, mask, metrics } = rolloutCorrection(old_logprobs, sampling_logprobs, completion_mask, given);
    return {
      rollout_is_weights: weights,
      completion_mask: mask,
      metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`rollout_corr/${name}`, value])),
    };
  },
});
