/** TRL's loss of RLOO against that of `apply_update`. @module */
import { type PolicyInputs, policyLoss } from "../policy_loss.ts";
import { defineTopic } from "../topic.ts";
import { trlMetrics } from "./trl_grpo_losses.ts";

interface Params {
  readonly epsilon: number;
  readonly epsilon_high: number | null;
}

export const trlRlooLoss = defineTopic<Params, PolicyInputs>({
  about: "TRL 1.16 rloo_trainer.py _compute_loss: value, gradient and metrics (preset trl/rloo of apply_update)",
  takes: { trl_rloo: ({ name }) => name.startsWith("loss/") },
  graph: true,
  async evaluate({ params: { epsilon, epsilon_high }, inputs }, tools) {
    const options = { preset: "trl/rloo", clip_low: epsilon, clip_high: epsilon_high ?? epsilon };
    const result = await policyLoss({ options, inputs }, tools);
    return { ...result, metrics: trlMetrics(result, {}) };
  },
});
