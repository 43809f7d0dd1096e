/** Which completions belong together. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../tables/mod.ts";

/**
 * Group number per completion, from 0 in order of appearance: completions of one prompt with different `sample`. A
 * prompt that was drawn twice in one train step (where one pass over the prompts ends and the next begins) has two
 * groups.
 */
export function groupNumbers(completions: ColumnTable): number[] {
  return numberGroups(columnArray(completions, "prompt_id"), columnArray(completions, "sample"));
}

/** The same of the columns `prompt_id` and `sample`, one value of each per completion. */
export function numberGroups(prompts: ArrayLike<unknown>, samples: ArrayLike<unknown>): number[] {
  const numbers = new Map<string, number>(), times = new Map<string, number>();
  return Array.from(prompts, (prompt, row) => {
    const key = `${prompt} ${samples[row]}`;
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    const group = `${prompt} ${time}`;
    if (!numbers.has(group)) numbers.set(group, numbers.size);
    return numbers.get(group)!;
  });
}

/** Row numbers of each group, in order of appearance. */
export function groupRows(completions: ColumnTable): number[][] {
  const groups: number[][] = [];
  groupNumbers(completions).forEach((group, row) => (groups[group] ??= []).push(row));
  return groups;
}
