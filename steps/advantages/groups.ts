/** The groups that an estimator compares within: equal, and large enough. @module */
import type { ColumnTable } from "arquero";
import { groupNumbers } from "../../data/statistics/mod.ts";
import { readColumn } from "./batch.ts";

/** That groups are too small for an estimator. */
export function tooSmall(estimator: string, size: number, least: number): string {
  return `Cannot compute "${estimator}" advantages: the group size is ${size}, want at least ${least}; ` +
    `raise group_size of sample_groups or use reinforce_plus_plus without baseline`;
}

/** Group number per completion. RangeError where groups are unequal, not of the size that is wanted, or too small. */
export function checkedGroups(completions: ColumnTable, estimator: string, least: number, want?: number): number[] {
  if (completions.numRows() === 0) throw new RangeError(`Cannot compute advantages: table "completions" has no rows`);
  const groups = groupNumbers(completions);
  const prompts = readColumn<number>(completions, "prompt_id");
  const sizes = new Map<number, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const size = want ?? sizes.get(0)!;
  groups.forEach((group, row) => {
    if (sizes.get(group) === size) return;
    throw new RangeError(
      `Cannot split ${groups.length} completions into groups of ${size}: prompt ${prompts[row]} has ${
        sizes.get(group)
      }; ` +
        `sample each prompt group_size times`,
    );
  });
  if (size < least) throw new RangeError(tooSmall(estimator, size, least));
  return groups;
}
