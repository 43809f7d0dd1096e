/** Cross-entropy of supervised fine-tuning: of each token -log p, nats; reports how often it is the likeliest. @module */
import type { MethodNotes } from "./method.ts";
import type { Objective } from "./objective.ts";

interface CrossEntropyLoss {
  readonly objective: "cross_entropy";
}

export const crossEntropy: Objective<CrossEntropyLoss> & { readonly method: MethodNotes } = {
  unit: "token",
  inputs: () => ({}),
  metrics: { token_accuracy: () => ({ over: "token" }) },
  graph: (_, { logprobs, statistic }) => ({ loss: logprobs.neg(), metrics: { token_accuracy: statistic("top1") } }),
  method: {
    formula: "-lp, mean over the update's tokens that count",
    source: "TRL sft_trainer.SFTTrainer.compute_loss; OpenRLHF models/loss.py SFTLoss",
    names: {
      trl: "SFTTrainer, loss_type=nll (default); also reports mean_token_accuracy",
      openrlhf: "train_sft",
    },
  },
};
