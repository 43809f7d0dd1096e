/** OpenRLHF's `vanilla_loss` of KTO: unsafe, here to be compared with and to be recognised. @module */
import type { Value } from "../onnx/graph.ts";
import type { MethodNotes } from "./method.ts";
import type { Objective } from "./objective.ts";

export interface KtoVanillaLoss {
  readonly objective: "kto_vanilla";
  readonly beta: number;
  /** Keeps the gradient out of the KL terms; OpenRLHF does not. */
  readonly detach: boolean;
}

/** Why a person should not train with it: said at check time and in its docs. */
export const UNSAFE =
  "its KL is estimated from the batch's own completions and lets the gradient through (OpenRLHF's VanillaKTOLoss), so the " +
  "estimate rewards moving away from the reference, the loss drifts and ends in NaN";

export const KTO_VANILLA_METHOD: MethodNotes = {
  formula:
    "desirable 1 − σ(β(ρ − z_r)), undesirable 1 − σ(β(z_c − ρ)); z_c, z_r = max(0, mean ρ of the desirable, the undesirable), WITH gradient unless detach_kl",
  source: "OpenRLHF v0.1.10 to v0.9.5 models/loss.py VanillaKTOLoss",
  names: { openrlhf: "vanilla_loss=true (false)" },
};

/**
 * Reads ref_logprobs, float [B, T], nats without temperature, and labels, float [B, 1], 1 = desirable, 0 = not; the batch
 * goes through the graph as a whole. NaN where a class is missing.
 */
export const ktoVanilla: Objective<KtoVanillaLoss> = {
  unit: "sequence",
  inputs: () => ({ ref_logprobs: "token", labels: "sequence" }),
  metrics: {
    chosen_logits: () => ({ over: "token" }),
    rejected_logits: () => ({ over: "token" }),
  },
  wholeBatch: () => true,
  graph({ beta, detach }, { logprobs, mask, input, statistic }) {
    const label = input("labels"), other = label.neg().add(1), logits = statistic("mean_logit");
    const ratio = logprobs.sub(input("ref_logprobs")).mul(mask).sum([1]);
    const of = (which: Value) => {
      const kl = ratio.mul(which).sum().div(which.sum()).max(0);
      return detach ? kl.stopGradient() : kl;
    };
    const desirable = ratio.sub(of(other)), undesirable = of(label).sub(ratio);
    return {
      loss: label.greater(0).where(desirable, undesirable).mul(-beta).sigmoid(),
      metrics: { chosen_logits: logits.mul(label), rejected_logits: logits.mul(other) },
    };
  },
};
