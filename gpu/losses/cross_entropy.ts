/** Cross-entropy of supervised fine-tuning: of each token -log p, nats. @module */
import type { Objective } from "./objective.ts";

interface CrossEntropyLoss {
  readonly objective: "cross_entropy";
}

export const crossEntropy: Objective<CrossEntropyLoss> = {
  unit: "token",
  inputs: () => ({}),
  metrics: {},
  graph: (_, { logprobs }) => ({ loss: logprobs.neg(), metrics: {} }),
};
