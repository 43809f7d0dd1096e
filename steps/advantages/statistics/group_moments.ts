/** Statistics per group of completions. @module */
import { type Moments, moments } from "./moments.ts";

/** Moments of each group, by group number. */
export function groupMoments(rewards: readonly (number | null)[], groups: readonly number[]): Moments[] {
  const members: (number | null)[][] = [];
  groups.forEach((group, row) => (members[group] ??= []).push(rewards[row]!));
  return members.map(moments);
}

/** Rewards closer than this count as equal (TRL: torch.isclose(std, 0)). */
const EQUAL = 1e-8;

/**
 * Fraction of groups whose scored rewards are all equal: they teach nothing. A group with fewer than two scored
 * completions does not count as equal (TRL `frac_reward_zero_std`).
 */
export function zeroSpreadFraction(groups: readonly Moments[]): number {
  return groups.filter(({ count, spread }) => count >= 2 && spread <= EQUAL).length / groups.length;
}
