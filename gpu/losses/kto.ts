/** Kahneman-Tversky optimisation: losses of single completions that are desirable or not. @module */
import type { MethodNotes } from "./method.ts";
import type { Objective } from "./objective.ts";

export interface KtoLoss {
  readonly objective: "kto";
  /** `apo_zero_unpaired` compares with the reference alone, `kto` with the batch's KL as well. */
  readonly form: keyof typeof KTO_FORMS;
  readonly beta: number;
  readonly desirableWeight: number;
  readonly undesirableWeight: number;
}

/** ρ = Σ m (lp − ref); z = the batch's KL, without gradient. */
export const KTO_FORMS = {
  kto: {
    formula: "desirable λ_D (1 − σ(β(ρ − z))), undesirable λ_U (1 − σ(β(z − ρ)))",
    source:
      "KTO, arXiv:2402.01306 eq. 8; TRL 1.16 kto_trainer.py `_compute_loss`; OpenRLHF v0.3.3, v0.9.5 models/loss.py KTOLoss",
    names: { trl: "loss_type=kto (default)", openrlhf: "KTOLoss (default of train_kto until v0.9.5)" },
  },
  apo_zero_unpaired: {
    formula: "desirable λ_D (1 − σ(βρ)), undesirable λ_U σ(βρ)",
    source: "APO, arXiv:2408.06266 eq. 7; TRL 1.16 kto_trainer.py `_compute_loss`",
    names: { trl: "loss_type=apo_zero_unpaired" },
  },
} as const satisfies Record<string, MethodNotes>;

/**
 * Reads ref_logprobs, float [B, T], nats without temperature; labels, float [B, 1], 1 = desirable, 0 = not; and for
 * `kto` batch_kl, float [1, 1], what `batchKl` says. A completion whose loss is NaN is left out of the value, as in TRL;
 * its gradient is NaN, so that the update is not applied.
 */
export const kto: Objective<KtoLoss> = {
  unit: "sequence",
  inputs: ({ form }) => ({
    ref_logprobs: "token",
    labels: "sequence",
    ...(form === "kto" ? { batch_kl: "value" } : {}),
  }),
  metrics: {
    chosen_logits: () => ({ over: "token" }),
    rejected_logits: () => ({ over: "token" }),
  },
  graph(loss, { logprobs, mask, input, statistic }) {
    const label = input("labels"), other = label.neg().add(1), logits = statistic("mean_logit");
    const ratio = logprobs.sub(input("ref_logprobs")).mul(mask).sum([1]);
    const over = loss.form === "kto" ? ratio.sub(input("batch_kl")) : ratio;
    const losses = over.mul(label.sub(other)).mul(-loss.beta).sigmoid()
      .mul(label.mul(loss.desirableWeight).add(other.mul(loss.undesirableWeight)));
    const nan = losses.isNaN(), finite = nan.cast(losses.dtype).neg().add(1);
    return {
      loss: nan.where(0, losses).mul(finite.sum().reciprocal().mul(losses.dims[0]!)),
      metrics: { chosen_logits: logits.mul(label), rejected_logits: logits.mul(other) },
    };
  },
};

/**
 * z of a batch: the mean log-ratio of mismatched pairs (a prompt with the completion of the row above), at least 0, nats
 * per completion; NaN stays NaN.
 *
 * ratios   Σ over counted tokens of log-probs minus the reference's, one per pair
 */
export function batchKl(ratios: readonly number[]): number {
  if (ratios.length === 0) throw new RangeError("Cannot estimate the KL of a batch: it has no pair, want at least 1");
  return Math.max(0, ratios.reduce((a, b) => a + b, 0) / ratios.length);
}
