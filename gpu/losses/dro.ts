/** DRO: the policy gradient with a squared pull to the policy that sampled. @module */
import { z } from "zod";
import type { RolloutLoss } from "./objective.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const params = z.strictObject({
  dro_beta: z.number().positive().describe("weight of the squared log-ratio; must be set"),
});

export interface DroLoss extends RolloutLoss {
  readonly objective: "dro";
  readonly beta: number;
}

/**
 * -(advantage · logprobs - β/2 (logprobs - old_logprobs)²), per token.
 * Source: Richemond et al. 2024 (DRO); verl `core_algos.compute_policy_loss_dro`.
 */
export const dro = rolloutObjective<DroLoss, typeof params, never>({
  method: {
    formula: "-(A·lp - dro_beta/2·(lp - old)²)",
    source: "Richemond et al. 2024 (DRO); verl core_algos.compute_policy_loss_dro",
    names: { verl: "policy_loss.loss_mode=dro: dro_beta 0, which it refuses" },
  },
  params,
  lossOf: ({ dro_beta }) => ({ objective: "dro", beta: dro_beta }),
  settings: ({ beta }) => ({ dro_beta: beta }),
  isMinusAdvantage: () => false,
  metrics: {},
  terms({ beta }, { advantages, logprobs, logRatio }) {
    return { loss: logRatio.mul(logRatio).mul(beta / 2).sub(logprobs.mul(advantages)), metrics: {} };
  },
});
