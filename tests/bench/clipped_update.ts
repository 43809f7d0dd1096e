/** The update that benchmarks of training time: the clipped loss with ratios within 1 ± 0.2, and AdamW without decay. @module */

/** `onPolicy`: the rollout is the policy's own, as it is now. */
export const CLIPPED = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  kl: null,
} as const;

/** How a batch of the policy's own rollout is summed. */
export const ON_POLICY = {
  loss: { ...CLIPPED, onPolicy: true },
  aggregation: "rollout_token_mean",
  temperature: 1,
} as const;

export const adamw = (learningRate: number) => ({
  learningRate,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxNorm: 1,
});
