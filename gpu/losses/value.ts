/** The loss of a critic: half the squared distance of values to returns, bounded to where the values were. @module */
import type { Value } from "../onnx/graph.ts";
import type { MethodNotes } from "./method.ts";
import type { Objective } from "./objective.ts";

export interface ValueLoss {
  readonly objective: "value";
  /** How far values may move from those of `compute_values` before the further error counts instead; null = no bound. */
  readonly clip: number | null;
}

/**
 * Reads returns and, with a clip, old_values, float [B, T], in units of the reward. Metrics: the share of tokens whose
 * bounded error is the larger one (verl `critic/vf_clipfrac`), the mean value (verl `critic/vpred_mean`).
 */
export const value = {
  head: "scalar",
  unit: "token",
  inputs: ({ clip }) => ({ returns: "token", ...(clip === null ? {} : { old_values: "token" }) }),
  metrics: {
    value_clip_fraction: ({ clip }) => clip === null ? null : { over: "token" },
    value_mean: () => ({ over: "token" }),
  },
  graph({ clip }, { values, input }) {
    const now = values!, returns = input("returns");
    const { loss, clipped } = valueLoss(now, clip === null ? null : input("old_values"), returns, clip ?? 0);
    return { loss, metrics: { value_mean: now, ...(clipped ? { value_clip_fraction: clipped } : {}) } };
  },
  method: {
    formula: "max((V - R)², (clip(V, V_old - ε, V_old + ε) - R)²) / 2; without a bound (V - R)² / 2",
    source: "PPO2 of baselines; verl core_algos.compute_value_loss; OpenRLHF models/loss.py ValueLoss",
    names: {
      verl: "critic.cliprange_value=0.5, critic.loss_agg_mode=actor's (token-mean)",
      openrlhf: "critic.value_clip=0.5 (value_clip), token_level_loss: mean over tokens",
    },
  },
} as const satisfies Objective<ValueLoss> & { readonly method: MethodNotes };

/**
 * values, oldValues, returns   float [B, T]; oldValues null = no bound
 * returns                      loss [B, T]; clipped [B, T], 1 where the bounded error is the larger one, null without bound
 *
 * Where the bound holds and the bounded error is larger the gradient is 0; a value that moved towards its return past the
 * bound keeps the bounded error, so there is nothing to win beyond it.
 */
function valueLoss(
  values: Value,
  oldValues: Value | null,
  returns: Value,
  clip: number,
): { readonly loss: Value; readonly clipped: Value | null } {
  const squared = (x: Value) => {
    const error = x.sub(returns);
    return error.mul(error);
  };
  const plain = squared(values);
  if (oldValues === null) return { loss: plain.mul(0.5), clipped: null };
  const bounded = squared(values.max(oldValues.sub(clip)).min(oldValues.add(clip)));
  const clipped = bounded.greater(plain).cast(values.dtype);
  return { loss: plain.max(bounded).mul(0.5), clipped };
}
