/** OpenRLHF's losses of preferences against the objectives `dpo`, `kto` and `kto_vanilla`. @module */
import { dpo, type DpoLoss } from "../../../gpu/losses/dpo.ts";
import { batchKl, kto, type KtoLoss } from "../../../gpu/losses/kto.ts";
import { ktoVanilla, type KtoVanillaLoss } from "../../../gpu/losses/kto_vanilla.ts";
import type { PolicyTokens } from "../../../gpu/losses/objective.ts";
import type { Value } from "../../../gpu/onnx/graph.ts";
import { preferenceLoss } from "../../../steps/preferences/loss_options.ts";
import { defineTopic } from "../topic.ts";
import { neighbours } from "./trl_dpo.ts";

interface Params {
  readonly beta: number;
  readonly label_smoothing?: number;
  readonly ipo?: boolean;
  readonly desirable_weight?: number;
  readonly undesirable_weight?: number;
}
/** Summed log-probs, one per completion. */
interface Inputs {
  readonly chosen_logprobs: readonly number[];
  readonly rejected_logprobs: readonly number[];
  readonly chosen_ref_logprobs: readonly number[];
  readonly rejected_ref_logprobs: readonly number[];
  readonly kl_logprobs?: readonly number[];
  readonly ref_kl_logprobs?: readonly number[];
}

const dpoLossOf = ({ beta, label_smoothing, ipo }: Params) =>
  preferenceLoss({ loss: "dpo", dpo_loss: ipo ? "ipo_sum" : "sigmoid_smoothed", beta, label_smoothing }) as DpoLoss;

/** A loss by the first part of a case's name: what it makes of completions of one token each. */
const LOSSES: Readonly<Record<string, (params: Params, tokens: PolicyTokens) => Value>> = {
  dpo: (params, tokens) => dpo.graph(dpoLossOf(params), tokens).loss,
  ipo: (params, tokens) => dpo.graph(dpoLossOf(params), tokens).loss,
  kto: ({ beta, desirable_weight, undesirable_weight }, tokens) =>
    kto.graph(preferenceLoss({ loss: "kto", beta, desirable_weight, undesirable_weight }) as KtoLoss, tokens).loss,
  kto_vanilla: ({ beta }, tokens) =>
    ktoVanilla.graph(preferenceLoss({ loss: "kto_vanilla", beta }) as KtoVanillaLoss, tokens).loss,
};

/** Cases of edge.json that record no inputs: these log-ratios give their values. */
const UNRECORDED: Readonly<Record<string, Inputs>> = {
  "openrlhf/kto_vanilla/unequal_counts": {
    chosen_logprobs: [-1, 0],
    rejected_logprobs: [1],
    chosen_ref_logprobs: [0, 0],
    rejected_ref_logprobs: [0],
  },
  "openrlhf/kto_vanilla/no_rejected": {
    chosen_logprobs: [-1, 0],
    rejected_logprobs: [],
    chosen_ref_logprobs: [0, 0],
    rejected_ref_logprobs: [],
  },
};

const nameOf = (name: string) => name.replace(/^openrlhf\//, "").split("/")[0]!;

export const openrlhfPreferences = defineTopic<Params, Inputs>({
  about:
    "OpenRLHF models/loss.py DPOLoss, KTOLoss, VanillaKTOLoss: value, gradients, rewards (gpu/losses/dpo.ts, kto.ts)",
  takes: {
    openrlhf: ({ name }) => Object.hasOwn(LOSSES, nameOf(name)),
    edge: ({ name }) => name.startsWith("openrlhf/kto_vanilla/"),
  },
  graph: true,
  async evaluate({ name, params, inputs: given }, { dtype, graphs }) {
    const unrecorded = UNRECORDED[name], inputs = unrecorded ?? given;
    const column = (values: readonly number[]) => values.map((value) => [value]);
    const kl = inputs.kl_logprobs
      ? batchKl(inputs.kl_logprobs.map((sum, r) => sum - inputs.ref_kl_logprobs![r]!))
      : null;
    const chosen = inputs.chosen_logprobs.length, rejected = inputs.rejected_logprobs.length;
    const isPair = /^(?:dpo|ipo)$/.test(nameOf(name));
    const outputs = await graphs.run({
      dtype,
      inputs: {
        ...Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, column(values)])),
        labels: [...Array(chosen).fill([1]), ...Array(rejected).fill([0])],
        ...(kl === null ? {} : { batch_kl: [[kl]] }),
      },
      build(input) {
        const both = (name: string) =>
          isPair
            ? neighbours(input(`chosen_${name}`), input(`rejected_${name}`))
            : chosen === 0
            ? input(`rejected_${name}`)
            : rejected === 0
            ? input(`chosen_${name}`)
            : input(`chosen_${name}`).concat([input(`rejected_${name}`)], 0);
        const logprobs = both("logprobs"), on = logprobs.mul(0).stopGradient().add(1);
        const tokens: PolicyTokens = {
          logprobs,
          mask: on,
          input: (name) => name === "ref_logprobs" ? both(name) : input(name),
          statistic: () => on.mul(0),
        };
        return { loss: LOSSES[nameOf(name)]!(params, tokens).mean() };
      },
      gradients: {
        of: "loss",
        by: [...(chosen ? ["chosen_logprobs"] : []), ...(rejected ? ["rejected_logprobs"] : [])],
      },
    });
    if (unrecorded) return outputs.loss;
    const list = (rows: unknown) => (rows as number[][] | undefined)?.flat() ?? [];
    const rewards = (side: "chosen" | "rejected") =>
      inputs[`${side}_logprobs`].map((sum, r) => params.beta * (sum - inputs[`${side}_ref_logprobs`][r]!));
    return {
      loss: outputs.loss,
      grad_chosen_logprobs: list(outputs.grad_chosen_logprobs),
      grad_rejected_logprobs: list(outputs.grad_rejected_logprobs),
      chosen_rewards: rewards("chosen"),
      rejected_rewards: rewards("rejected"),
      kl,
    };
  },
});
