/** The loss of a pairwise reward model: Bradley-Terry on the scores of a chosen and a rejected completion. @module */
import type { Value } from "../onnx/graph.ts";
import type { MethodNotes } from "./method.ts";
import type { Objective } from "./objective.ts";

interface RewardPairLoss {
  readonly objective: "reward_pair";
  /** Weight of the squared sum of both scores, which keeps their mean near 0 (TRL `center_rewards_coefficient`). */
  readonly center: number;
}

/**
 * Reads margin, float [B/2, 1], in units of the score: how far apart a pair should stand. The mask chooses the position at
 * which a completion's score is read: 1 there, 0 elsewhere. Metrics: share of pairs in the right order, mean difference,
 * mean score of the chosen and of the rejected (TRL `accuracy`, `margin`).
 */
export const rewardPair = {
  head: "scalar",
  unit: "pair",
  inputs: (_: RewardPairLoss) => ({ margin: "pair" }),
  metrics: {
    preference_accuracy: () => ({ over: "pair" }),
    reward_margin: () => ({ over: "pair" }),
    chosen_reward: () => ({ over: "pair" }),
    rejected_reward: () => ({ over: "pair" }),
  },
  graph({ center }, { values, mask, input }) {
    const scores = values!.mul(mask).sum([1]).reshape([-1, 2]);
    const [chosen, rejected] = scores.split(1, [1, 1]) as [Value, Value];
    const margin = chosen.sub(rejected), sum = chosen.add(rejected);
    const loss = minusLogSigmoid(margin.sub(input("margin")));
    return {
      loss: center === 0 ? loss : loss.add(sum.mul(sum).mul(center)),
      metrics: {
        preference_accuracy: margin.greater(0).cast(margin.dtype),
        reward_margin: margin,
        chosen_reward: chosen,
        rejected_reward: rejected,
      },
    };
  },
  method: {
    formula: "-log σ(s_chosen - s_rejected - margin) + c (s_chosen + s_rejected)²",
    source: "Bradley and Terry; Ouyang et al. 2022, eq. 1; TRL reward_trainer.RewardTrainer.compute_loss",
    names: {
      trl: "RewardTrainer; center_rewards_coefficient=None (0); a column margin",
      openrlhf: "train_rm loss=sigmoid (PairWiseLoss), margin_loss",
    },
  },
} as const satisfies Objective<RewardPairLoss> & { readonly method: MethodNotes };

/** -log σ(x) = max(-x, 0) + log(1 + exp(-|x|)): finite wherever x is. */
function minusLogSigmoid(x: Value): Value {
  return x.neg().max(0).add(x.abs().neg().exp().add(1).log());
}
