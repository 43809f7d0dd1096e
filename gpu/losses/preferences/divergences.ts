/** What stands in a DPO loss in place of the log-ratio where another divergence than the reverse KL is asked for. @module */
import type { Value } from "../../onnx/graph.ts";
import type { MethodNotes } from "../method.ts";
import { logSigmoid } from "./pairs.ts";

interface Divergence {
  readonly method: MethodNotes;
  /** f'(t) of a log-ratio log t, float [P, 1], up to a constant that the difference of two takes away. */
  readonly score: (logRatio: Value, alpha: number) => Value;
}

const CAP = 80; // Above it exp() leaves float32; TRL's bound.
const SAME = 1e-6; // So near 1 the α-divergence is its limit, the reverse KL.

const source = "f-DPO, arXiv:2309.16240; TRL 1.16 dpo_trainer.py `_compute_loss`";

export const DIVERGENCES = {
  reverse_kl: {
    method: { formula: "s = ρ", source, names: { trl: "f_divergence_type=reverse_kl (default)" } },
    score: (logRatio) => logRatio,
  },
  forward_kl: {
    method: { formula: "s = 1 − exp(−ρ)", source, names: { trl: "f_divergence_type=forward_kl" } },
    score: (logRatio) => logRatio.neg().exp().neg().add(1),
  },
  js_divergence: {
    method: { formula: "s = log 2 + log σ(ρ)", source, names: { trl: "f_divergence_type=js_divergence" } },
    score: (logRatio) => logSigmoid(logRatio).add(Math.LN2),
  },
  alpha_divergence: {
    method: {
      formula: "s = (exp(min((α−1)ρ, 80)) − 1)/(α − 1); ρ itself at α = 1",
      source,
      names: { trl: "f_divergence_type=alpha_divergence, f_alpha_divergence_coef=α (0.5)" },
    },
    score: (logRatio, alpha) =>
      Math.abs(alpha - 1) < SAME ? logRatio : logRatio.mul(alpha - 1).clip(null, CAP).exp().sub(1).mul(1 / (alpha - 1)),
  },
} as const satisfies Record<string, Divergence>;

export type DivergenceName = keyof typeof DIVERGENCES;
