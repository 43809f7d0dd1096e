/** The losses of pairs: what each makes of the log-ratios of the chosen and the rejected completion. @module */
import type { Value } from "../../onnx/graph.ts";
import type { MethodNotes } from "../method.ts";
import { logSigmoid, type Pair } from "./pairs.ts";
import { sorted } from "./sorted.ts";

/** What a loss of pairs knows, float [P, 1] each; sums are over counted tokens, nats. */
interface PairTerms {
  readonly beta: number;
  readonly smoothing: number;
  /** Temperature of DiscoPOP's gate. */
  readonly tau: number;
  /** ρ, log-probs minus those of the reference. */
  readonly ratios: Pair;
  /** ρ, or what the divergence makes of it. */
  readonly scores: Pair;
  /** The log-probs themselves, and those of the reference. */
  readonly policy: Pair;
  readonly reference: Pair;
  /** Counted tokens, at least 1. */
  readonly lengths: Pair;
  /** Minus the log-probs of the chosen tokens, times pairs over chosen tokens of the batch. */
  readonly chosenLoss: () => Value;
}

interface DpoLoss {
  readonly method: MethodNotes;
  /** It reads scores, so that a divergence means something to it. */
  readonly divergence: boolean;
  /** It can be weighted by how likely a pair is under the policy (WPO). */
  readonly weighting: boolean;
  /** A pair's number depends on the others: the batch goes through the graph as a whole. */
  readonly wholeBatch?: true;
  /** It reads label_smoothing, and from where to where. */
  readonly smoothing?: { readonly above: number; readonly below: number };
  readonly graph: (terms: PairTerms) => Value;
}

const margin = ({ scores, beta }: PairTerms) => scores.chosen.sub(scores.rejected).mul(beta);
const meanScores = ({ scores, lengths }: PairTerms) =>
  scores.chosen.div(lengths.chosen).sub(scores.rejected.div(lengths.rejected));
const rewards = ({ ratios, beta }: PairTerms) => [ratios.chosen.mul(beta), ratios.rejected.mul(beta)] as const;
const square = (x: Value) => x.mul(x);
const nll = (x: Value) => logSigmoid(x).neg();
/** −(1−ε) log σ(x) − ε log σ(−x). */
const smoothed = (x: Value, smoothing: number) =>
  smoothing === 0 ? nll(x) : nll(x).mul(1 - smoothing).add(nll(x.neg()).mul(smoothing));

const TRL = "TRL 1.16 dpo_trainer.py `_compute_loss`";
const notes = (formula: string, paper: string, trl: string, more: Partial<MethodNotes["names"]> = {}): MethodNotes => ({
  formula,
  source: `${paper}; ${TRL}`,
  names: { trl: `loss_type=${trl}`, ...more },
});
const BOTH = { divergence: true, weighting: true } as const, PLAIN = { divergence: false, weighting: true } as const;
const SMOOTHED = { smoothing: { above: 0, below: 0.5 } } as const;

/** ρ = Σ m (lp − ref); s = ρ or the divergence's; Δ = s_chosen − s_rejected; n = counted tokens; ε = label_smoothing. */
export const DPO_LOSSES = {
  sigmoid: {
    ...BOTH,
    method: notes("−log σ(βΔ)", "DPO, arXiv:2305.18290 eq. 7", "sigmoid (default)", {
      openrlhf: "DPOLoss, label_smoothing=0 (default)",
    }),
    graph: (terms) => nll(margin(terms)),
  },
  sigmoid_smoothed: {
    ...BOTH,
    ...SMOOTHED,
    method: {
      formula: "−(1−ε) log σ(βΔ) − ε log σ(−βΔ)",
      source: "conservative DPO, Mitchell 2023; OpenRLHF models/loss.py DPOLoss",
      names: { openrlhf: "DPOLoss, label_smoothing=ε (0)", trl: "none: its sigmoid ignores label_smoothing" },
    },
    graph: (terms) => smoothed(margin(terms), terms.smoothing),
  },
  hinge: {
    divergence: true,
    weighting: false,
    method: notes("max(0, 1 − βΔ)", "SLiC, arXiv:2305.10425", "hinge"),
    graph(terms) {
      const short = margin(terms).neg().add(1);
      return short.lessOrEqual(0).where(0, short); // a NaN stays one, as in torch
    },
  },
  ipo: {
    ...BOTH,
    method: notes("(s_c/n_c − s_r/n_r − 1/(2β))²", "IPO, arXiv:2310.12036 eq. 17, per token", "ipo"),
    graph: (terms) => square(meanScores(terms).sub(1 / (2 * terms.beta))),
  },
  ipo_sum: {
    ...BOTH,
    method: {
      formula: "(Δ − 1/(2β))², on sums",
      source: "IPO, arXiv:2310.12036 eq. 17; OpenRLHF models/loss.py DPOLoss",
      names: { openrlhf: "ipo=true (false)", trl: "none: its ipo divides by the lengths" },
    },
    graph: ({ scores, beta }) => square(scores.chosen.sub(scores.rejected).sub(1 / (2 * beta))),
  },
  exo_pair: {
    ...BOTH,
    smoothing: { above: Number.MIN_VALUE, below: 1 },
    method: notes(
      "q (log q − log(1−ε)) + q' (log q' − log ε), q = σ(βΔ), q' = σ(−βΔ)",
      "EXO, arXiv:2402.00856 eq. 16",
      "exo_pair",
    ),
    graph(terms) {
      const x = margin(terms), { smoothing } = terms;
      const term = (y: Value, share: number) => y.sigmoid().mul(logSigmoid(y).sub(Math.log(share)));
      return term(x, 1 - smoothing).add(term(x.neg(), smoothing));
    },
  },
  nca_pair: {
    ...PLAIN,
    method: notes("−log σ(βρ_c) − ½ log σ(−βρ_c) − ½ log σ(−βρ_r)", "NCA, arXiv:2402.05369", "nca_pair"),
    graph(terms) {
      const [chosen, rejected] = rewards(terms);
      return nll(chosen).add(nll(chosen.neg()).mul(0.5)).add(nll(rejected.neg()).mul(0.5));
    },
  },
  robust: {
    ...BOTH,
    ...SMOOTHED,
    method: notes("(−(1−ε) log σ(βΔ) + ε log σ(−βΔ)) / (1 − 2ε)", "robust DPO, arXiv:2403.00409", "robust"),
    graph(terms) {
      const x = margin(terms), { smoothing } = terms;
      return nll(x).mul(1 - smoothing).sub(nll(x.neg()).mul(smoothing)).mul(1 / (1 - 2 * smoothing));
    },
  },
  bco_pair: {
    ...PLAIN,
    method: notes("−log σ(βρ_c) − log σ(−βρ_r)", "BCO without its running mean, arXiv:2404.04656", "bco_pair"),
    graph(terms) {
      const [chosen, rejected] = rewards(terms);
      return nll(chosen).add(nll(rejected.neg()));
    },
  },
  sppo_hard: {
    ...PLAIN,
    method: notes("(ρ_c − 1/(2β))² + (ρ_r + 1/(2β))²", "SPPO, arXiv:2405.00675 eq. 4.7 with P of 1 and 0", "sppo_hard"),
    graph: ({ ratios, beta }) => square(ratios.chosen.sub(0.5 / beta)).add(square(ratios.rejected.add(0.5 / beta))),
  },
  aot: {
    ...PLAIN,
    wholeBatch: true,
    smoothing: { above: 0, below: 1 },
    method: notes(
      "smoothed sigmoid of sort(lp_c − lp_r) − sort(ref_c − ref_r), sorted over the batch",
      "AOT, arXiv:2406.05882",
      "aot",
    ),
    graph({ policy, reference, beta, smoothing }) {
      const delta = sorted(policy.chosen.sub(policy.rejected)).sub(sorted(reference.chosen.sub(reference.rejected)));
      return smoothed(delta.mul(beta), smoothing);
    },
  },
  aot_unpaired: {
    ...PLAIN,
    wholeBatch: true,
    smoothing: { above: 0, below: 1 },
    method: notes(
      "smoothed sigmoid of sort(ρ_c) − sort(ρ_r), sorted over the batch",
      "AOT, arXiv:2406.05882",
      "aot_unpaired",
    ),
    graph: ({ ratios, beta, smoothing }) =>
      smoothed(sorted(ratios.chosen).sub(sorted(ratios.rejected)).mul(beta), smoothing),
  },
  apo_zero: {
    ...PLAIN,
    method: notes("1 − σ(βρ_c) + σ(βρ_r)", "APO, arXiv:2408.06266 eq. 7", "apo_zero"),
    graph(terms) {
      const [chosen, rejected] = rewards(terms);
      return chosen.neg().sigmoid().add(rejected.sigmoid());
    },
  },
  apo_down: {
    ...PLAIN,
    method: notes("σ(βρ_c) + 1 − σ(β(ρ_c − ρ_r))", "APO, arXiv:2408.06266 eq. 8", "apo_down"),
    graph(terms) {
      const [chosen, rejected] = rewards(terms);
      return chosen.sigmoid().add(rejected.sub(chosen).sigmoid());
    },
  },
  discopop: {
    ...BOTH,
    method: notes(
      "(1−g)(−log σ(βΔ)) + g exp(−βΔ), g = σ(βΔ/τ)",
      "DiscoPOP, arXiv:2406.08414 eq. 5",
      "discopop, discopop_tau=τ (0.05)",
    ),
    graph(terms) {
      const x = margin(terms), gate = x.mul(1 / terms.tau).sigmoid(), logistic = nll(x);
      return logistic.add(gate.mul(x.neg().exp().sub(logistic)));
    },
  },
  sft: {
    divergence: true,
    weighting: false,
    method: notes("−lp of the chosen, mean over the batch's chosen tokens", "RPO, arXiv:2404.19733", "sft"),
    graph: ({ chosenLoss }) => chosenLoss(),
  },
  sigmoid_norm: {
    ...BOTH,
    method: notes("−log σ(β (s_c/n_c − s_r/n_r))", "as in SimPO's and Tülu 3's length-normalised DPO", "sigmoid_norm"),
    graph: (terms) => nll(meanScores(terms).mul(terms.beta)),
  },
} as const satisfies Record<string, DpoLoss>;

export type DpoLossName = keyof typeof DPO_LOSSES;

/** The entry of a name, with all that an entry may have. */
export function dpoLoss(name: DpoLossName): DpoLoss {
  return DPO_LOSSES[name];
}
