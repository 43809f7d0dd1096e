/** SAPO: a smooth gate on the ratio in place of a bound. @module */
import { z } from "zod";
import type { RolloutLoss } from "./objective.ts";
import { RATIO_OPTIONS } from "./ratio.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const params = z.strictObject({
  temperature_positive: z.number().positive().optional().describe("τ where the advantage is positive; 1 if absent"),
  temperature_negative: z.number().positive().optional().describe("τ where it is not; 1.05 if absent"),
  ...RATIO_OPTIONS,
});

export interface SapoLoss extends RolloutLoss {
  readonly objective: "sapo";
  /** How steeply the gate closes as the ratio leaves 1. */
  readonly positive: number;
  readonly negative: number;
}

/**
 * -(4/τ) σ(τ (ratio - 1)) · advantage, per token. At ratio 1 the gradient is that of -advantage, the value -2/τ of it.
 * Source: Gao et al. 2025 (SAPO); TRL `grpo_trainer.get_sapo_token_loss`; verl `core_algos.compute_policy_loss_sapo`.
 */
export const sapo = rolloutObjective<SapoLoss, typeof params, never>({
  method: {
    formula: "-(4/τ)·sigmoid(τ·(r - 1))·A, τ = temperature_positive if A > 0 else temperature_negative",
    source: "Gao et al. 2025 (SAPO); TRL grpo_trainer.get_sapo_token_loss; verl core_algos.compute_policy_loss_sapo",
    names: {
      trl: "loss_type=sapo: sapo_temperature_pos 1.0, sapo_temperature_neg 1.05",
      verl: "policy_loss.loss_mode=sapo: tau_pos 1.0, tau_neg 1.05, always seq-mean-token-mean",
    },
  },
  params,
  lossOf: ({ temperature_positive = 1, temperature_negative = 1.05, ratio_level, log_ratio_bound }) => ({
    objective: "sapo",
    positive: temperature_positive,
    negative: temperature_negative,
    ...(ratio_level ? { ratioLevel: ratio_level } : {}),
    ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
  }),
  settings: ({ positive, negative }) => ({ temperature_positive: positive, temperature_negative: negative }),
  isMinusAdvantage: () => false,
  metrics: {},
  terms({ positive, negative }, { advantages, ratio }) {
    const { graph, dtype } = advantages;
    const tau = advantages.greater(0).where(graph.scalar(positive, dtype), graph.scalar(negative, dtype));
    const gate = ratio.sub(1).mul(tau).sigmoid().mul(tau.reciprocal().mul(4));
    return { loss: gate.mul(advantages).neg(), metrics: {} };
  },
});
