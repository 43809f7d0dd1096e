/** Cross-entropy of supervised fine-tuning: of each token -log p, nats; reports how often it is the likeliest. @module */
import type { Objective } from "./objective.ts";

interface CrossEntropyLoss {
  readonly objective: "cross_entropy";
}

export const crossEntropy: Objective<CrossEntropyLoss> = {
  unit: "token",
  inputs: () => ({}),
  metrics: { token_accuracy: () => ({ over: "token" }) },
  graph: (_, { logprobs, statistic }) => ({ loss: logprobs.neg(), metrics: { token_accuracy: statistic("top1") } }),
};
