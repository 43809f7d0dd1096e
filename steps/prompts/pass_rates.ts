/** How often the policy solves each prompt, from the groups it sampled. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";

/** Completions of one prompt: how many there were and how many were right. */
interface Tried {
  readonly completions: number;
  readonly right: number;
}

/** Sums over rows of the table `groups`, by prompt; those without a verdict are left out. */
export function passRates(groups: ColumnTable): Map<number, Tried> {
  const found = new Map<number, Tried>();
  if (!groups.numRows()) return found;
  const [ids, counts, rates] = ["prompt_id", "completions", "pass_rate"].map((name) =>
    columnArray(groups, name) as ArrayLike<number | null>
  );
  for (let row = 0; row < ids!.length; row++) {
    const id = ids![row]!, count = counts![row]!, rate = rates![row];
    if (rate === null || rate === undefined || Number.isNaN(rate)) continue;
    const { completions, right } = found.get(id) ?? { completions: 0, right: 0 };
    found.set(id, { completions: completions + count, right: right + count * rate });
  }
  return found;
}

/** What a prompt that is always or never solved keeps of the weight of one that is solved half of the time. */
const LEAST_WEIGHT = 0.05;

/**
 * How likely a prompt is drawn, in relation to others: 4 p (1 - p), at least 0.05, with p = (right + 1) / (completions + 2)
 * (Laplace's rule). A prompt that was never sampled has p = 1/2 and weight 1. p (1 - p) is the variance of a reward of 0
 * or 1: what a group of the prompt teaches is in proportion to it.
 */
export function drawWeight(tried: Tried | null): number {
  const p = ((tried?.right ?? 0) + 1) / ((tried?.completions ?? 0) + 2);
  return Math.max(4 * p * (1 - p), LEAST_WEIGHT);
}
