/** What a completion gets that is alone in its group: the systems differ. @module */
import { z } from "zod";
import { groupMoments, type Moments } from "../../data/statistics/mod.ts";

/** An option of every estimator that compares a completion with its group. */
export const GROUP_OF_ONE = z.enum(["refuse", "zero", "reward"]).default("refuse").describe(
  "what a completion alone in its group gets: refuse the batch, zero (TRL in evaluation; OpenRLHF dr_grpo and " +
    "reinforce_baseline), or its reward (verl)",
);

type GroupOfOne = z.output<typeof GROUP_OF_ONE>;

/** Completions that a group needs where a lonely one is treated so. */
export const leastGroup = ({ group_of_one }: { readonly group_of_one: GroupOfOne }): number =>
  group_of_one === "refuse" ? 2 : 1;

interface Batch {
  readonly rewards: readonly (number | null)[];
  readonly groups: readonly number[];
}

/**
 * One value per completion: `compare` of its reward and its group; 0 where it is not scored or the only scored one of its
 * group; as the option says where it is alone in its group, NaN where that is refused (the step does not come so far).
 * `itself` is what becomes of the reward of a lonely one that keeps it.
 */
export function comparedInGroups(
  { rewards, groups }: Batch,
  alone: GroupOfOne,
  compare: (reward: number, group: Moments, row: number) => number,
  itself: (reward: number) => number = (reward) => reward,
): number[] {
  const perGroup = groupMoments(rewards, groups), sizes: number[] = [];
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  return rewards.map((reward, row) => {
    const group = groups[row]!, moments = perGroup[group]!;
    if (reward === null) return 0;
    if (moments.count > 1) return compare(reward, moments, row);
    return sizes[group]! > 1 ? 0 : { refuse: NaN, zero: 0, reward: itself(reward) }[alone];
  });
}
