/** verl's KL in the reward against that of `compute_advantages`. @module */
import { meanTokenKl, type RewardKl, tokenKl } from "../../../steps/advantages/token_kl.ts";
import { nextKlCoefficient } from "../../../steps/controllers/kl_coefficient.ts";
import { estimatorOf } from "../../translate/verl_advantages.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly kl_penalty: string;
  readonly type: "fixed" | "adaptive";
  readonly kl_coef: number;
  readonly target_kl: number;
  readonly horizon: number;
}
interface Inputs {
  readonly old_logprobs: Matrix;
  readonly ref_logprobs: Matrix;
  readonly completion_mask: Matrix;
  readonly token_scores: Matrix;
}

/** verl bounds k3 only. */
const BOUNDS = { differenceBound: 20, bound: 10 } as const;

export const verlKlPenalty = defineTopic<Params, Inputs>({
  about: "verl ray_trainer.py apply_kl_penalty: KL taken off each token's reward (steps/advantages/token_kl.ts)",
  takes: { verl_kl: ({ name }) => name.startsWith("apply_kl_penalty/") },
  evaluate({ params, inputs: { old_logprobs, ref_logprobs, completion_mask: masks, token_scores } }) {
    // With "+" only the gradient is another.
    const name = params.kl_penalty.replace(/\+$/, ""), estimator = estimatorOf(name) as RewardKl | null;
    if (estimator === null) {
      throw new RangeError(`Cannot take "${params.kl_penalty}" off the reward: no such estimator`);
    }
    const how = { estimator, ...(estimator === "k3" ? BOUNDS : {}) };
    const kl = masks.map((mask, row) => tokenKl(how, old_logprobs[row]!, ref_logprobs[row]!, mask));
    const mean = meanTokenKl(kl, masks.map((mask) => mask.reduce((a, b) => a + b, 0)));
    const controller = params.type === "adaptive" ? { target: params.target_kl, horizon: params.horizon } : null;
    return {
      token_rewards: token_scores.map((row, i) => row.map((score, t) => score - params.kl_coef * kl[i]![t]!)),
      metrics: { "actor/reward_kl_penalty": mean, "actor/reward_kl_penalty_coeff": params.kl_coef },
      kl_coef_after: nextKlCoefficient(params.kl_coef, controller, mean, masks.length),
    };
  },
});
