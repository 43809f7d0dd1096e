/** TRL's losses of pairs against the objective `dpo`. @module */
import { dpo, type DpoLoss, dpoProblems } from "../../../gpu/losses/dpo.ts";
import type { DivergenceName } from "../../../gpu/losses/preferences/divergences.ts";
import type { DpoLossName } from "../../../gpu/losses/preferences/dpo_losses.ts";
import type { StatisticName } from "../../../gpu/losses/objective.ts";
import type { Value } from "../../../gpu/onnx/graph.ts";
import { meanOfSide, pairMetrics, pairWeights, sequenceSums } from "../../../steps/metrics/preference_metrics.ts";
import { preferenceLoss } from "../../../steps/preferences/loss_options.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly loss_type?: readonly DpoLossName[];
  readonly loss_weights?: readonly number[] | null;
  readonly beta?: number;
  readonly label_smoothing?: number;
  readonly ld_alpha?: number | null;
  readonly f_divergence_type?: DivergenceName;
  readonly f_alpha_divergence_coef?: number;
  readonly discopop_tau?: number;
  readonly use_weighting?: boolean;
}
type Side<Name extends string, T> = Readonly<Record<`${"chosen" | "rejected"}_${Name}`, T>>;
type Inputs =
  & Side<"logprobs" | "ref_logprobs" | "completion_mask", Matrix>
  & Partial<Side<"log_sum_sq_probs" | "entropies" | "mean_logits" | "is_top1", Matrix>>;

const STATISTICS = { log_sum_squares: "log_sum_sq_probs", mean_logit: "mean_logits", top1: "is_top1" } as const;

const lossOf = (params: Params) =>
  preferenceLoss({
    loss: "dpo",
    dpo_loss: params.loss_type,
    loss_weights: params.loss_weights ?? undefined,
    beta: params.beta,
    label_smoothing: params.label_smoothing,
    ld_alpha: params.ld_alpha ?? undefined,
    f_divergence: params.f_divergence_type,
    f_divergence_alpha: params.f_alpha_divergence_coef,
    discopop_tau: params.discopop_tau,
    use_weighting: params.use_weighting,
  }) as DpoLoss;

/** Chosen and rejected rows [P, T] as neighbours [2P, T]. */
export function neighbours(chosen: Value, rejected: Value): Value {
  const [pairs, tokens] = chosen.dims as [number, number];
  const one = (value: Value) => value.reshape([pairs, 1, tokens]);
  return one(chosen).concat([one(rejected)], 1).reshape([2 * pairs, tokens]);
}

export const trlDpo = defineTopic<Params, Inputs>({
  about: "TRL 1.16 dpo_trainer.py _compute_loss: value, gradients, metrics (gpu/losses/dpo.ts, preference_metrics.ts)",
  takes: { trl_dpo: () => true, edge: ({ name }) => name.startsWith("trl/dpo/") },
  graph: true,
  async evaluate({ params, inputs }, { dtype, graphs }) {
    const loss = lossOf(params), [problem] = dpoProblems(loss);
    if (problem !== undefined) throw new RangeError(problem);
    const pairs = inputs.chosen_logprobs.length, { chosen_completion_mask, rejected_completion_mask } = inputs;
    const rows = (chosen: Matrix, rejected: Matrix) => chosen.flatMap((row, p) => [row, rejected[p]!]);
    const mask = rows(chosen_completion_mask, rejected_completion_mask),
      tokens = Math.max(mask.flat().reduce((a, b) => a + b, 0), 1);
    const outputs = await graphs.run({
      dtype,
      inputs: {
        ...inputs,
        chosen_share: [[pairs / chosen_completion_mask.flat().reduce((a, b) => a + b, 0)]],
      },
      build(input) {
        const both = (name: string) => neighbours(input(`chosen_${name}`), input(`rejected_${name}`));
        const on = both("completion_mask");
        const statistic = (name: StatisticName) => {
          const given = STATISTICS[name as keyof typeof STATISTICS];
          return Object.hasOwn(inputs, `chosen_${given}`) ? both(given) : on.mul(0);
        };
        const terms = dpo.graph(loss, {
          logprobs: both("logprobs"),
          mask: on,
          input: (name) => name === "ref_logprobs" ? both(name) : input(name),
          statistic,
        });
        const means = Object.entries(terms.metrics).map(([name, value]) => [name, value.mul(on).sum().div(tokens)]);
        const entropy = inputs.chosen_entropies ? both("entropies").mul(on).sum().div(tokens) : on.mul(0).sum();
        return { loss: terms.loss.mean(), entropy, ...Object.fromEntries(means) };
      },
      gradients: { of: "loss", by: ["chosen_logprobs", "rejected_logprobs"] },
    });
    const weights = pairWeights(mask, loss.ldAlpha), side = (row: number) => row % 2 === 0;
    const ours = pairMetrics(
      sequenceSums(rows(inputs.chosen_logprobs, inputs.rejected_logprobs), weights),
      sequenceSums(rows(inputs.chosen_ref_logprobs, inputs.rejected_ref_logprobs), weights),
      loss.beta,
    );
    const metrics = {
      "entropy": outputs.entropy,
      "logits/chosen": meanOfSide(outputs.chosen_logits as number, mask, side) ?? 0,
      "logits/rejected": meanOfSide(outputs.rejected_logits as number, mask, (row) => !side(row)) ?? 0,
      "mean_token_accuracy": meanOfSide(outputs.token_accuracy as number, mask, side) ?? 0,
      "rewards/chosen": ours.chosen_reward,
      "rewards/rejected": ours.rejected_reward,
      "rewards/accuracies": ours.preference_accuracy,
      "rewards/margins": ours.reward_margin,
      "logps/chosen": ours.chosen_logprob,
      "logps/rejected": ours.rejected_logprob,
    };
    return { ...outputs, metrics };
  },
});
