/** How much the completions of a group differ: in reward and in text. @module */
import { type Moments, moments } from "./moments.ts";

/**
 * At or below which a group has no spread: every threshold of it. They differ in what a number has been through. The
 * estimators themselves (`steps/advantages`) take exactly 0 only, where their quotient would be 0/0: noise is theirs to pass.
 */
export const NO_SPREAD = {
  /** Rewards of a group, largest minus smallest: float noise is no signal (TRL: torch.isclose(std, 0)). */
  rewards: 1e-8,
  /** A printed deviation within groups, computed in float64. */
  deviation: 1e-9,
  /** Advantages, and deviations beside a reward of about 1, that were summed in float32 before they were printed. */
  printed: 1e-6,
  /** Share of the groups without spread from above which it is the groups that teach nothing, whatever else there is. */
  groups: 0.8,
} as const;

/** Moments of each group, by group number; null values do not count. */
export function groupMoments(values: readonly (number | null)[], groups: readonly number[]): Moments[] {
  const members: (number | null)[][] = [];
  groups.forEach((group, row) => (members[group] ??= []).push(values[row]!));
  return members.map(moments);
}

/**
 * Fraction of all groups whose scored rewards are at least two and all equal: they teach nothing. A group with one
 * scored completion is no such group, and neither is one with a NaN (TRL `frac_reward_zero_std` per group,
 * grpo_trainer.py). Null where no completion is scored.
 */
export function zeroSpreadFraction(rewards: readonly (number | null)[], groups: readonly number[]): number | null {
  const perGroup = groupMoments(rewards, groups);
  if (perGroup.every(({ count }) => count === 0)) return null;
  return perGroup.filter(({ count, spread }) => count >= 2 && spread <= NO_SPREAD.rewards).length / perGroup.length;
}

/** Mean over groups of distinct values over group size: 1/G when all are equal, 1 when all differ. Null without rows. */
export function uniqueFraction(values: readonly unknown[], groups: readonly number[]): number | null {
  const members: unknown[][] = [];
  groups.forEach((group, row) => (members[group] ??= []).push(values[row]));
  const { mean, count } = moments(members.map((texts) => new Set(texts).size / texts.length));
  return count === 0 ? null : mean;
}

/** Share of groups that tie when each of `size` completions is right with probability `p`: p^size + (1 - p)^size. */
export function expectedTies(p: number, size: number): number {
  return p ** size + (1 - p) ** size;
}
