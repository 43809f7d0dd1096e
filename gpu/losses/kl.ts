/** Estimators of the KL divergence to the reference policy, per token. @module */
import type { Value } from "../onnx/graph.ts";
import type { MethodNotes } from "./method.ts";

/** How far an estimate may go, nats; null = as far as it goes. */
export interface KlBounds {
  /** Of logprobs - ref_logprobs, before the estimate is made of it. */
  readonly difference: number | null;
  /** Of the estimate. */
  readonly value: number | null;
}

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
const FORMS = {
  k1: {
    graph: (difference) => difference,
    plain: (d) => d,
    method: {
      formula: "lp - ref",
      source: `${SCHULMAN}verl core_algos.kl_penalty`,
      names: {
        trl: "RLOOTrainer: the only one, in the reward, summed over a completion (beta 0.05)",
        verl: "kl_loss_type=kl or k1; in the reward kl_penalty=kl (default), use_kl_in_reward false",
        openrlhf: "algo.kl.estimator=k1 (default), bounded to ±10; in the reward, algo.kl.init_coef 0.01",
      },
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
        trl: "GRPOTrainer: the only one, beta 0.0; times the ratio by default (use_bias_correction_kl)",
        verl:
          "kl_loss_type=low_var_kl (default) or k3, difference bounded to ±20 and result to ±10; use_kl_loss false, kl_loss_coef 0.001",
        openrlhf: "algo.kl.estimator=k3, bounded to ±10",
        visual_rft: "the only one, beta 0.04",
      },
    },
  },
  abs: {
    graph: (difference) => {
      const side = difference.greater(0).cast(difference.dtype).sub(difference.less(0).cast(difference.dtype));
      return difference.mul(side); // of a NaN the gradient is 0, as torch has it
    },
    plain: (d) => Math.abs(d),
    method: { formula: "|lp - ref|", source: "verl core_algos.kl_penalty", names: { verl: "kl_loss_type=abs" } },
  },
} as const satisfies Record<string, Estimator>;

type Form = keyof typeof FORMS;

/** The value of a form with the gradient of k2: straight-through (verl kl_penalty, names that end in "+"). */
function straightThrough({ plain, method: { formula } }: Estimator, verl: string) {
  const names = { verl: `kl_loss_type=${verl}` };
  const source = "verl core_algos.kl_penalty, straight-through";
  return { plain, method: { formula: `${formula}; gradient lp - ref, that of k2, never bounded`, source, names } };
}

export const KL_ESTIMATORS = {
  ...FORMS,
  "k1+": straightThrough(FORMS.k1, "kl+ or k1+"),
  "k2+": straightThrough(FORMS.k2, "mse+ or k2+"),
  "k3+": straightThrough(FORMS.k3, "low_var_kl+ or k3+"),
  "abs+": straightThrough(FORMS.abs, "abs+"),
} as const satisfies Record<Form | `${Form}+`, Omit<Estimator, "graph">>;

export type KlEstimator = keyof typeof KL_ESTIMATORS;

/** The form of an estimator without its "+". */
export function formOf(estimator: KlEstimator): Form {
  return estimator.replace("+", "") as Form;
}

const UNBOUNDED: KlBounds = { difference: null, value: null };

const bounded = (x: Value, bound: number | null) => bound === null ? x : x.clip(-bound, bound);

/** The estimate of a difference in nats: float of its shape, nats. Where a bound takes hold the gradient is 0. */
export function klEstimate(estimator: KlEstimator, difference: Value, bounds: KlBounds = UNBOUNDED): Value {
  const form = formOf(estimator);
  const value = bounded(FORMS[form].graph(bounded(difference, bounds.difference)), bounds.value);
  if (form === estimator) return value;
  const k2 = FORMS.k2.graph(difference);
  return k2.sub(k2.stopGradient()).add(value.stopGradient());
}

/** The same of one number. */
export function plainKl(estimator: KlEstimator, difference: number, bounds: KlBounds = UNBOUNDED): number {
  const within = (x: number, bound: number | null) => bound === null ? x : Math.min(Math.max(x, -bound), bound);
  return within(KL_ESTIMATORS[estimator].plain(within(difference, bounds.difference)), bounds.value);
}

/**
 * logprobs      float [B, T]  nats, of the policy
 * refLogprobs   float [B, T]  nats, of the reference
 * mask          float [B, T]  where 0 the estimate and its gradient are 0, NaN or not (TRL has NaN there: 0 · NaN)
 * returns       float [B, T]  nats per token
 */
export function klToReference(
  { estimator, bounds = UNBOUNDED }: { readonly estimator: KlEstimator; readonly bounds?: KlBounds },
  logprobs: Value,
  refLogprobs: Value,
  mask: Value,
): Value {
  return klEstimate(estimator, mask.greater(0).where(logprobs.sub(refLogprobs), 0), bounds);
}
