/** TRL's losses of single completions against the objective `kto`. @module */
import { batchKl, kto, type KtoLoss } from "../../../gpu/losses/kto.ts";
import { labelledMetrics, meanOfSide, sequenceSums } from "../../../steps/metrics/preference_metrics.ts";
import { preferenceLoss } from "../../../steps/preferences/loss_options.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly loss_type?: KtoLoss["form"];
  readonly beta?: number;
  readonly desirable_weight?: number;
  readonly undesirable_weight?: number;
}
interface Inputs {
  readonly logprobs: Matrix;
  readonly ref_logprobs: Matrix;
  readonly completion_mask: Matrix;
  /** The mismatched pairs; apo_zero_unpaired does without. */
  readonly kl_logprobs?: Matrix;
  readonly ref_kl_logprobs?: Matrix;
  readonly kl_completion_mask?: Matrix;
  readonly entropies?: Matrix;
  readonly mean_logits?: Matrix;
  readonly labels: readonly boolean[];
}

/** The KL of the mismatched pairs. */
function mismatchedKl({ kl_logprobs, ref_kl_logprobs, kl_completion_mask: mask }: Inputs): number {
  const policy = sequenceSums(kl_logprobs!, mask!), reference = sequenceSums(ref_kl_logprobs!, mask!);
  return batchKl(policy.map((sum, row) => sum - reference[row]!));
}

export const trlKto = defineTopic<Params, Inputs>({
  about: "TRL 1.16 kto_trainer.py _compute_loss: value, gradient, metrics (gpu/losses/kto.ts, preference_metrics.ts)",
  takes: { trl_kto: () => true, edge: ({ name }) => name.startsWith("trl/kto/") },
  graph: true,
  async evaluate({ params, inputs }, { dtype, graphs }) {
    const { loss_type = "kto", beta, desirable_weight, undesirable_weight } = params;
    const loss = preferenceLoss({ loss: loss_type, beta, desirable_weight, undesirable_weight }) as KtoLoss;
    const { completion_mask: mask } = inputs, labels = inputs.labels.map(Number);
    const kl = loss.form === "kto" ? mismatchedKl(inputs) : 0;
    const tokens = Math.max(mask.flat().reduce((a, b) => a + b, 0), 1);
    const outputs = await graphs.run({
      dtype,
      inputs: {
        logprobs: inputs.logprobs,
        ref_logprobs: inputs.ref_logprobs,
        mask,
        labels: labels.map((label) => [label]),
        batch_kl: [[kl]],
        ...(inputs.mean_logits ? { mean_logit: inputs.mean_logits } : {}),
        ...(inputs.entropies ? { entropies: inputs.entropies } : {}),
      },
      build(input) {
        const on = input("mask");
        const terms = kto.graph(loss, {
          logprobs: input("logprobs"),
          mask: on,
          input,
          statistic: (name) => name === "mean_logit" && inputs.mean_logits ? input(name) : on.mul(0),
        });
        const means = Object.entries(terms.metrics).map(([name, value]) => [name, value.mul(on).sum().div(tokens)]);
        const entropy = inputs.entropies ? input("entropies").mul(on).sum().div(tokens) : on.mul(0).sum();
        return { loss: terms.loss.mean(), entropy, ...Object.fromEntries(means) };
      },
      gradients: { of: "loss", by: ["logprobs"] },
    });
    const sums = [inputs.logprobs, inputs.ref_logprobs].map((rows) => sequenceSums(rows, mask));
    const ours = labelledMetrics(sums[0]!, sums[1]!, labels, loss.beta);
    const metrics = {
      kl,
      "entropy": outputs.entropy,
      "logits/chosen": meanOfSide(outputs.chosen_logits as number, mask, (row) => labels[row] === 1),
      "logits/rejected": meanOfSide(outputs.rejected_logits as number, mask, (row) => labels[row] === 0),
      "rewards/chosen": ours.chosen_reward,
      "rewards/rejected": ours.rejected_reward,
      "rewards/margins": ours.reward_margin,
      "logps/chosen": ours.chosen_logprob,
      "logps/rejected": ours.rejected_logprob,
    };
    return { ...outputs, metrics };
  },
});
