/** Direct preference optimisation: losses of pairs of a chosen and a rejected completion. @module */
import type { Value } from "../onnx/graph.ts";
import type { Objective } from "./objective.ts";
import { type DivergenceName, DIVERGENCES } from "./preferences/divergences.ts";
import { dpoLoss, type DpoLossName } from "./preferences/dpo_losses.ts";
import { eachOf, forBoth, isChosen, type Pair, pairOf } from "./preferences/pairs.ts";

export interface DpoLoss {
  readonly objective: "dpo";
  /** Their weighted sum. */
  readonly losses: readonly { readonly name: DpoLossName; readonly weight: number }[];
  /** How strongly the policy is held to the reference. */
  readonly beta: number;
  /** ε, the share of pairs that are thought to be labelled the wrong way round; some losses read it. */
  readonly labelSmoothing: number;
  /** Weight of tokens beyond the length of the pair's shorter completion (LD-DPO, arXiv:2409.06411); null = 1. */
  readonly ldAlpha: number | null;
  readonly divergence: DivergenceName;
  /** α of the α-divergence. */
  readonly divergenceAlpha: number;
  readonly discopopTau: number;
  /** Weighs a pair by how likely it is under the policy (WPO, arXiv:2406.11827 eq. 2). */
  readonly weighting: boolean;
  /** No reference: its log-probs count as 0. */
  readonly referenceFree: boolean;
}

/**
 * Completions stand in groups of two: chosen, rejected. Reads ref_logprobs, float [2P, T], nats without temperature,
 * unless it needs no reference; and with a loss on the chosen tokens alone `chosen_share`, float [1, 1]: pairs over
 * chosen tokens of the batch. Reports mean logits of both sides and the share of chosen tokens that are the most likely
 * ones, each as its sum over all counted tokens.
 * Source: TRL 1.16 `dpo_trainer._compute_loss`; the entries of DPO_LOSSES.
 */
export const dpo: Objective<DpoLoss> = {
  unit: "pair",
  inputs: (loss) => ({
    ...(loss.referenceFree ? {} : { ref_logprobs: "token" }),
    ...(loss.losses.some(({ name }) => name === "sft") ? { chosen_share: "value" } : {}),
  }),
  metrics: {
    chosen_logits: () => ({ over: "token" }),
    rejected_logits: () => ({ over: "token" }),
    token_accuracy: () => ({ over: "token" }),
  },
  wholeBatch: ({ losses }) => losses.some(({ name }) => dpoLoss(name).wholeBatch),
  graph(loss, { logprobs, mask, input, statistic }) {
    const weights = loss.ldAlpha === null ? mask : lengthDesensitized(mask, loss.ldAlpha);
    const reference = loss.referenceFree ? logprobs.mul(0).stopGradient() : input("ref_logprobs");
    const sums = (value: Value) => pairOf(value.mul(weights).sum([1]));
    const ratios = sums(logprobs.sub(reference));
    const { score } = DIVERGENCES[loss.divergence];
    const terms = {
      beta: loss.beta,
      smoothing: loss.labelSmoothing,
      tau: loss.discopopTau,
      ratios,
      scores: eachOf(ratios, (ratio) => score(ratio, loss.divergenceAlpha)),
      get policy() {
        return sums(logprobs);
      },
      get reference() {
        return sums(reference);
      },
      lengths: eachOf(pairOf(mask.sum([1])), (count) => count.max(1)),
      chosenLoss: () => pairOf(logprobs.mul(mask).sum([1])).chosen.neg().mul(input("chosen_share")),
    };
    const [first, ...rest] = loss.losses.map(({ name, weight }) => dpoLoss(name).graph(terms).mul(weight));
    const total = rest.reduce((sum, term) => sum.add(term), first!);
    const chosen = isChosen(mask), logits = statistic("mean_logit");
    return {
      loss: loss.weighting ? total.mul(likelihood(logprobs, statistic("log_sum_squares"), mask)) : total,
      metrics: {
        chosen_logits: logits.mul(chosen),
        rejected_logits: logits.mul(chosen.neg().add(1)),
        token_accuracy: statistic("top1").mul(chosen),
      },
    };
  },
};

/** The mask with `alpha` on tokens beyond the shorter completion of each pair, float [2P, T]. */
function lengthDesensitized(mask: Value, alpha: number): Value {
  const { chosen, rejected }: Pair = pairOf(mask.sum([1]));
  const tail = mask.cumsum(1).greater(forBoth(chosen.min(rejected)));
  return mask.mul(tail.where(alpha, mask.mul(0).add(1)));
}

/** exp of the mean of lp − log Σ p² of both completions of a pair, multiplied, float [P, 1], without gradient. */
function likelihood(logprobs: Value, logSumSquares: Value, mask: Value): Value {
  const aligned = logprobs.sub(logSumSquares).stopGradient().mul(mask).sum([1]).div(mask.sum([1]).max(1));
  const { chosen, rejected } = pairOf(aligned);
  return chosen.add(rejected).exp();
}

/** What is wrong with these settings together; TRL refuses the same, or fails on them. */
export function dpoProblems(loss: Omit<DpoLoss, "objective">): string[] {
  const problems: string[] = [];
  for (const { name } of loss.losses) {
    const { divergence, weighting, smoothing } = dpoLoss(name);
    if (loss.divergence !== "reverse_kl" && !divergence) {
      problems.push(
        `Cannot use f_divergence ${loss.divergence} with dpo_loss ${name}: it reads plain log-ratios, want reverse_kl`,
      );
    }
    if (loss.weighting && !weighting) {
      problems.push(
        `Cannot weigh pairs of dpo_loss ${name} by their likelihood: use_weighting is true, want it false (TRL fails on it)`,
      );
    }
    const { above, below } = smoothing ?? { above: 0, below: 1 };
    if (smoothing !== undefined && !(loss.labelSmoothing >= above && loss.labelSmoothing < below)) {
      const want = above > 0 ? `more than 0 and less than ${below}` : `from 0 to less than ${below}`;
      problems.push(`Cannot use dpo_loss ${name}: label_smoothing is ${loss.labelSmoothing}, want ${want}`);
    }
  }
  return problems;
}
