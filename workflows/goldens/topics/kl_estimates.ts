/** The KL estimates of verl and OpenRLHF against those of the loss of `apply_update`. @module */
import { klEstimate } from "../../../gpu/losses/kl.ts";
import { lossForm, lossOptions } from "../../../steps/training/loss_form.ts";
import { estimatorOf } from "../../translate/verl_advantages.ts";
import type { Nested } from "../run_graph.ts";
import { defineTopic } from "../topic.ts";

interface Params {
  /** verl's name. */
  readonly kl_penalty?: string;
  /** OpenRLHF's name. */
  readonly kl_estimator?: string;
}
interface Inputs {
  readonly logprobs: Nested;
  readonly ref_logprobs: Nested;
}

/** The KL term that a workflow with the system's preset has. */
function termOf({ kl_penalty: verl, kl_estimator }: Params) {
  const estimator = verl === undefined ? kl_estimator : estimatorOf(verl) ?? verl;
  const preset = verl === undefined ? "openrlhf/ppo" : "verl/vanilla";
  return lossForm(lossOptions({ preset, kl_coef: 1, kl_estimator: estimator })).shared.kl!;
}

export const klEstimates = defineTopic<Params, Inputs>({
  about: "verl kl_penalty, OpenRLHF compute_approx_kl: value and gradient per token (gpu/losses/kl.ts)",
  takes: {
    verl_kl: ({ name }) => !name.startsWith("apply_kl_penalty"),
    openrlhf: ({ name }) => name.startsWith("approx_kl/"),
    edge: ({ name }) => /^verl\/kl_(?:full|unknown)/.test(name),
  },
  graph: true,
  async evaluate({ params, inputs }, { dtype, graphs }) {
    const { estimator, bounds } = termOf(params), difference = apart(inputs.logprobs, inputs.ref_logprobs);
    const { kl, grad_difference } = await graphs.run({
      dtype,
      inputs: { difference }, // as float32 log-probs of -45 would not hold a difference of 1e-8
      build: (input) => ({ kl: klEstimate(estimator, input("difference"), bounds) }),
      gradients: { of: "kl", by: ["difference"] },
    });
    return { kl, grad_logprobs: grad_difference };
  },
});

/** a - b, element by element. */
function apart(a: Nested, b: Nested): Nested {
  return typeof a === "number" ? a - (b as number) : a.map((one, i) => apart(one, (b as readonly Nested[])[i]!));
}
