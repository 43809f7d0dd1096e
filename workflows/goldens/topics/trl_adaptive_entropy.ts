/** TRL's adaptive entropy coefficient against that of `apply_update`, step after step, in the loss. @module */
import { entropyWeight, nextEntropyCoefficient } from "../../../steps/controllers/entropy_coefficient.ts";
import { type Matrix, policyLoss } from "../policy_loss.ts";
import { defineTopic } from "../topic.ts";
import { type TrlInputs, trlMask, trlOptions, type TrlParams, trlPolicyLoss, trlTotals } from "./trl_grpo_losses.ts";

interface Params extends TrlParams {
  readonly entropy_coef_delta?: number;
  readonly entropy_coef_min?: number;
  readonly entropy_coef_max?: number;
  readonly entropy_target?: number;
}
interface Inputs extends TrlInputs {
  readonly entropies_per_step: readonly Matrix[];
}

export const trlAdaptiveEntropy = defineTopic<Params, Inputs>({
  about: "TRL 1.16 grpo_trainer.py use_adaptive_entropy (steps/controllers/entropy_coefficient.ts)",
  takes: {
    trl_grpo_losses: ({ name }) => name.includes("adaptive_entropy"),
    edge: ({ name }) => name.startsWith("trl/grpo/") && name.includes("adaptive_entropy"),
  },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    const controller = {
      target: params.entropy_target ?? 0.2,
      step: params.entropy_coef_delta ?? 0.005,
      min: params.entropy_coef_min ?? 0,
      max: params.entropy_coef_max ?? 1,
    };
    let coefficient = params.entropy_coef ?? 0, last: number | null = null;
    const steps = [];
    for (const entropies of inputs.entropies_per_step) {
      const mask = trlMask(inputs), weight = entropyWeight(coefficient, controller, last);
      const request = {
        options: trlOptions({ ...params, entropy_coef: weight }),
        inputs: { ...inputs, entropies, completion_mask: mask },
        totals: trlTotals(params, inputs.num_items_in_batch),
      };
      const { loss } = await policyLoss(request, tools);
      const entropy = meanOver(entropies, mask);
      last = entropy;
      coefficient = nextEntropyCoefficient(coefficient, controller, entropy);
      const policy_loss = await trlPolicyLoss(request, params, tools);
      steps.push({ loss, entropy, policy_loss, entropy_coef: coefficient });
    }
    return { steps };
  },
});

/** Mean over the tokens that count. */
function meanOver(values: Matrix, mask: Matrix): number {
  let sum = 0, count = 0;
  values.forEach((row, b) =>
    row.forEach((value, t) => {
      if (!mask[b]![t]) return;
      sum += value;
      count++;
    })
  );
  return sum / Math.max(count, 1);
}
