/** Makes a batch of completions for tests of reward functions. */
import type { RewardBatch } from "../../../steps/rewards/reward.ts";

/** Completions of prompts p0, p1, …; every other column from `given`, or what is plain. */
export function rewardBatch(texts: readonly string[], given: Partial<RewardBatch> = {}): RewardBatch {
  return {
    prompts: texts.map((_, i) => `p${i}`),
    texts,
    answers: texts.map(() => ""),
    completion_tokens: texts.map((text) => text.length),
    truncated: texts.map(() => false),
    rows: texts.map((_, i) => ({ prompt_id: i })),
    ...given,
  };
}
