/** The plain policy gradient: every log-probability weighed by its advantage. @module */
import { z } from "zod";
import type { RolloutLoss } from "./objective.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const params = z.strictObject({
  log_ratio_bound: z.number().positive().nullable().optional().describe(
    "policy_gradient: bound of the log-ratio that approx_kl tells, nats; none if absent or null",
  ),
});

export interface PolicyGradientLoss extends RolloutLoss {
  readonly objective: "policy_gradient";
}

/**
 * -advantage · logprobs, per token (REINFORCE). There is no ratio in it: reuse of a rollout is not corrected.
 * Source: Williams 1992; Chu et al. 2025 (GPG); verl `core_algos.compute_policy_loss_gpg`, `_reinforce`.
 */
export const policyGradient = rolloutObjective<PolicyGradientLoss, typeof params, never>({
  method: {
    formula: "-A·lp",
    source: "Williams 1992 (REINFORCE); Chu et al. 2025 (GPG); verl core_algos.compute_policy_loss_gpg, _reinforce",
    names: {
      verl: "policy_loss.loss_mode=gpg; bypass_mode with rollout_correction.loss_type=reinforce",
    },
  },
  params,
  lossOf: ({ log_ratio_bound }) => ({
    objective: "policy_gradient",
    ...(log_ratio_bound ? { logRatioBound: log_ratio_bound } : {}),
  }),
  settings: () => ({}),
  isMinusAdvantage: () => false,
  metrics: {},
  terms: (_, { advantages, logprobs }) => ({ loss: logprobs.mul(advantages).neg(), metrics: {} }),
});
