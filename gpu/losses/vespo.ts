/** VESPO: completions weighed by a smooth function of their whole ratio, without gradient. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { RolloutLoss } from "./objective.ts";
import { RATIO_OPTIONS } from "./ratio.ts";
import { rolloutObjective } from "./rollout_objective.ts";

/** Bounds of log-ratios, nats (TRL get_gamma_weights): of a token, and of a completion from below. */
const TOKEN_BOUND = 20, LOWEST = Math.log(1e-8);

/** The least decay (TRL get_gamma_weights), so that a long completion's weight falls in the end. */
const LEAST_DECAY = 1e-4;

const params = z.strictObject({
  k_positive: z.number().min(0).optional().describe(
    "power of the ratio where the advantage is not negative; 2 if absent",
  ),
  lambda_positive: z.number().min(0).optional().describe("decay in the ratio there; 3 if absent"),
  k_negative: z.number().min(0).optional().describe("power of the ratio where it is negative; 3 if absent"),
  lambda_negative: z.number().min(0).optional().describe("decay in the ratio there; 2 if absent"),
  ...RATIO_OPTIONS,
});

export interface VespoLoss extends RolloutLoss {
  readonly objective: "vespo";
  readonly kPositive: number;
  readonly lambdaPositive: number;
  readonly kNegative: number;
  readonly lambdaNegative: number;
}

/**
 * -φ(w) · advantage · logprobs with φ(w) = exp(λ + k log w - λ w), w the ratio of the whole completion, times the
 * product of the sampler's weights: φ(1) = 1. `ratio_level` is that of the ratio which the KL may be multiplied by.
 * Source: VESPO 2026; TRL `grpo_trainer.get_gamma_weights`.
 */
export const vespo = rolloutObjective<VespoLoss, typeof params, "phi_mean">({
  method: {
    formula: "-φ·A·lp, φ = sg(exp(λ + k·log w - λ·w)), log w = Σ m·clip(lp - old, ±20) + Σ log sampler weight",
    source: "VESPO 2026; TRL grpo_trainer.get_gamma_weights",
    names: {
      trl: "loss_type=vespo: vespo_k_pos 2, vespo_lambda_pos 3, vespo_k_neg 3, vespo_lambda_neg 2",
    },
  },
  params,
  lossOf: (given) => ({
    objective: "vespo",
    kPositive: given.k_positive ?? 2,
    lambdaPositive: given.lambda_positive ?? 3,
    kNegative: given.k_negative ?? 3,
    lambdaNegative: given.lambda_negative ?? 2,
    ...(given.ratio_level ? { ratioLevel: given.ratio_level } : {}),
    ...(given.log_ratio_bound ? { logRatioBound: given.log_ratio_bound } : {}),
  }),
  settings: ({ kPositive, lambdaPositive, kNegative, lambdaNegative }) => ({
    k_positive: kPositive,
    lambda_positive: lambdaPositive,
    k_negative: kNegative,
    lambda_negative: lambdaNegative,
  }),
  isMinusAdvantage: () => false,
  usesSamplerWeights: true,
  metrics: { phi_mean: () => ({ over: "sequence" }) },
  terms(loss, { advantages, logprobs, mask, logRatio, input }) {
    const { graph, dtype } = advantages;
    const choose = (yes: number, no: number) =>
      advantages.greaterOrEqual(0).where(graph.scalar(yes, dtype), graph.scalar(no, dtype));
    const decay = (given: number) => Math.max(given, LEAST_DECAY);
    const k = choose(loss.kPositive, loss.kNegative);
    const lambda = choose(decay(loss.lambdaPositive), decay(loss.lambdaNegative));
    const summed = logRatio.stopGradient().clip(-TOKEN_BOUND, TOKEN_BOUND).mul(mask).sum([1]);
    const weights = loss.samplerWeights ? input("sampler_weights").log().clip(LOWEST, TOKEN_BOUND) : null;
    // Where nothing counts a token's weight may be 0, whose logarithm must not.
    const counted = loss.samplerWeights === "token" ? mask.greater(0).where(weights!, 0) : weights;
    const log = (counted ? summed.add(counted.sum([1])) : summed).clip(LOWEST, TOKEN_BOUND);
    const phi = finiteOr0(k.mul(log).sub(lambda.mul(log.exp())).add(lambda).exp());
    return {
      loss: phi.mul(advantages).mul(logprobs).neg(),
      metrics: { phi_mean: phi.mean([1]) },
    };
  },
});

/** torch.nan_to_num(nan=0, posinf=0, neginf=0). */
const finiteOr0 = (x: Value) => x.isNaN().or(x.isInf()).where(0, x);
