/** Estimators of the KL divergence to the reference policy, per token. @module */
import type { Value } from "../onnx/graph.ts";
import type { MethodNotes } from "./method.ts";

/** One formula twice: in a graph, and of one number. */
interface Estimator {
  readonly graph: (difference: Value) => Value;
  readonly plain: (difference: number) => number;
  readonly method: MethodNotes;
}

const SCHULMAN = 'Schulman, "Approximating KL divergence"; ';

/**
 * difference = logprobs - ref_logprobs, nats; each gives nats per token. Source: Schulman, "Approximating KL divergence".
 * As a loss k1's gradient has mean zero and teaches nothing; k2's is that of the reverse KL; k3 is never negative.
 */
export const KL_ESTIMATORS = {
  k1: {
    graph: (difference) => difference,
    plain: (d) => d,
    method: {
      formula: "lp - ref",
      source: `${SCHULMAN}verl core_algos.kl_penalty`,
      names: { verl: "kl_loss_type=kl or k1", openrlhf: "algo.kl.estimator=k1 (default), bounded to ±10" },
    },
  },
  k2: {
    graph: (difference) => difference.mul(difference).mul(0.5),
    plain: (d) => d * d / 2,
    method: {
      formula: "(lp - ref)² / 2",
      source: `${SCHULMAN}verl core_algos.kl_penalty`,
      names: { verl: "kl_loss_type=mse or k2", openrlhf: "algo.kl.estimator=k2, bounded to ±10" },
    },
  },
  k3: {
    graph: (difference) => difference.neg().exp().add(difference).sub(1),
    plain: (d) => Math.expm1(-d) + d,
    method: {
      formula: "exp(ref - lp) - (ref - lp) - 1",
      source: `${SCHULMAN}TRL grpo_trainer._compute_loss`,
      names: {
        trl: "the only one; times the ratio by default (use_bias_correction_kl)",
        verl: "kl_loss_type=low_var_kl (default) or k3, difference bounded to ±20 and result to ±10",
        openrlhf: "algo.kl.estimator=k3, bounded to ±10",
      },
    },
  },
} as const satisfies Record<string, Estimator>;

export type KlEstimator = keyof typeof KL_ESTIMATORS;

/**
 * logprobs      float [B, T]  nats, of the policy
 * refLogprobs   float [B, T]  nats, of the reference
 * mask          float [B, T]  where 0 the estimate and its gradient are 0, NaN or not (TRL has NaN there: 0 · NaN)
 * returns       float [B, T]  nats per token
 */
export function klToReference(estimator: KlEstimator, logprobs: Value, refLogprobs: Value, mask: Value): Value {
  return KL_ESTIMATORS[estimator].graph(mask.greater(0).where(logprobs.sub(refLogprobs), 0));
}
