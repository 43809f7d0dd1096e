/** What an advantage estimator is: rewards of a batch in, one advantage per completion out. @module */
import type { z } from "zod";

/** The completions of one train step; arrays run over completions, in table order. */
interface AdvantageBatch {
  /** Reward per completion; null = not scored: it enters no mean and gets advantage 0. */
  readonly rewards: readonly (number | null)[];
  /** Group per completion, 0 to groups - 1; members need not be adjacent. */
  readonly groups: readonly number[];
  /** Completion tokens that count in the loss. */
  readonly lengths: readonly number[];
}

export interface Advantage<Params extends z.ZodObject = z.ZodObject> {
  /** One line: the formula in words. */
  readonly about: string;
  /** Options that this estimator reads; all together they are the options of `compute_advantages`. */
  readonly params: Params;
  /** Completions a group needs for the estimate to mean anything. */
  minGroupSize(params: z.output<Params>): number;
  /** Whether the advantages of a group sum to 0; where it is left out, those of an estimator that compares within groups do. */
  sumsToZero?(params: z.output<Params>): boolean;
  /** Groups of two to four are usual for it: the doctor does not call them too small. */
  readonly smallGroups?: true;
  /** One advantage per completion; 0 where the reward is null. */
  advantages(params: z.output<Params>, batch: AdvantageBatch): number[];
}

/** What the doctor judges groups by, as `compute_advantages` writes it to `settings`. */
export function groupTraits(advantage: Advantage, params: Record<string, unknown>) {
  const compares_groups = advantage.minGroupSize(params) > 1;
  const sums_to_zero = advantage.sumsToZero?.(params) ?? compares_groups;
  return { compares_groups, sums_to_zero, small_groups: advantage.smallGroups ?? false };
}

/** Identity; lets the functions see the type of `params`. */
export function defineAdvantage<Params extends z.ZodObject>(advantage: Advantage<Params>): Advantage<Params> {
  return advantage;
}
