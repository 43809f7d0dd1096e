/** The step `best_of_n`: what is gained by sampling several completions and keeping the one with the highest reward. @module */
import { z } from "zod";
import { groupRows } from "../data/statistics/mod.ts";
import { columnArray } from "../data/tables/mod.ts";
import { defineStep } from "./step.ts";

const params = z.strictObject({
  n: z.int().min(1).optional().describe(
    "completions to choose from, at most the group size; the whole group if absent",
  ),
});

export const bestOfN = defineStep({
  about: "Measure the accuracy of the completion with the highest reward among n",
  params,
  reads: { completions: ["prompt_id", "sample", "reward", "correct"] },
  writes: {},
  measures: true,
  pure: true,
  outputs: z.object({
    n: z.int().describe("completions chosen from"),
    best: z.number().describe("fraction of prompts whose completion of highest reward among n is right"),
    sampled: z.number().describe("fraction of completions that are right: best of one"),
    any: z.number().describe("fraction of prompts with a right completion among n: best of n by the verifier"),
    prompts: z.int().describe("groups judged; those without a reward or a verifier are left out"),
  }),
  run({ n }, context) {
    const completions = context.table("completions");
    const rewards = columnArray(completions, "reward") as ArrayLike<number | null>;
    const correct = columnArray(completions, "correct") as ArrayLike<boolean | null>;
    const groups = groupRows(completions).map((rows) => rows.filter((row) => rewards[row] !== null))
      .filter((rows) => rows.length > 0 && rows.every((row) => correct[row] !== null));
    if (groups.length === 0) {
      throw new RangeError(
        "Cannot compare completions of a group: none has a reward and a verifier; run score_rewards before, on prompts " +
          "that name a verifier",
      );
    }
    const smallest = Math.min(...groups.map(({ length }) => length)), size = n ?? smallest;
    if (size > smallest) {
      throw new RangeError(
        `Cannot choose from ${size} completions: a group has ${smallest} with a reward, want at least ${size}; lower n or ` +
          `raise group_size of sample_groups`,
      );
    }
    const mean = (of: (rows: readonly Scored[], n: number) => number, n: number) =>
      groups.reduce((sum, rows) => sum + of(rows.map((row) => scored(rewards[row]!, correct[row]!)), n), 0) /
      groups.length;
    const outputs = { n: size, best: mean(bestOf, size), sampled: mean(bestOf, 1), any: mean(anyOf, size) };
    return { outputs: { ...outputs, prompts: groups.length } };
  },
});

interface Scored {
  readonly reward: number;
  readonly right: number;
}
const scored = (reward: number, correct: boolean): Scored => ({ reward, right: correct ? 1 : 0 });

/**
 * Expected share right of the highest reward among `n` of the group, every choice of n alike; equal rewards share their
 * places. The k-th lowest of N is the highest of n in C(k-1, n-1) of the C(N, n) choices.
 */
export function bestOf(group: readonly Scored[], n: number): number {
  const sorted = group.toSorted((a, b) => a.reward - b.reward);
  const rightAmongEquals = (reward: number) => {
    const equals = sorted.filter((one) => one.reward === reward);
    return equals.reduce((sum, { right }) => sum + right, 0) / equals.length;
  };
  return sorted.reduce((sum, { reward }, k) => sum + chance(k, group.length, n) * rightAmongEquals(reward), 0);
}

/** Expected share of choices of `n` with a right one among them: 1 - C(wrong, n) / C(N, n) (Chen et al. 2021, pass@k). */
function anyOf(group: readonly Scored[], n: number): number {
  return bestOf(group.map(({ right }) => ({ reward: right, right })), n);
}

/** C(k, n-1) / C(total, n): the chance that the one with `k` below it is the highest of n among `total`. */
function chance(k: number, total: number, n: number): number {
  if (k < n - 1) return 0;
  let result = n / total;
  for (let i = 0; i < n - 1; i++) result *= (k - i) / (total - 1 - i);
  return result;
}
