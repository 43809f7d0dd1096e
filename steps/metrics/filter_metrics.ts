/** The metrics of a train step whose groups were filtered: of all that was sampled, not of what was left. @module */
import type { ColumnTable } from "arquero";
import { meanOf } from "../corrections/masked_rows.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { NO_SPREAD } from "../../data/statistics/mod.ts";

/** What only a filtered train step has. */
export const FILTER_COLUMNS = ["filtered_fraction", "generation_batches", "replayed_fraction"] as const;

type FilterMetrics = Record<(typeof FILTER_COLUMNS)[number], number | null>;

/**
 * Reward, accuracy and spread as the policy has them, and what the filter did; without rows of `groups` three nulls.
 * A filter leaves groups with spread: their reward is near the middle, whatever the policy can do.
 */
export function filterMetrics(
  groups: ColumnTable,
  completions: ColumnTable,
): Partial<Record<string, number | null>> & FilterMetrics {
  if (!groups.numRows()) return { filtered_fraction: null, generation_batches: null, replayed_fraction: null };
  const column = <T>(name: string) => Array.from(columnArray(groups, name) as ArrayLike<T>);
  const counts = column<number>("completions"), passed = column<boolean>("passed");
  const means = (name: string) => column<number | null>(name);
  const rewards = means("reward"), stds = means("reward_std"), spreads = means("reward_spread");
  const present = stds.filter((std) => std !== null);
  return {
    reward: weighted(rewards, counts),
    reward_std: pooledStd(rewards, stds, counts),
    group_reward_std: present.length ? meanOf(present) : null,
    zero_spread_fraction: rewards.every((reward) => reward === null)
      ? null
      : spreads.filter((spread) => spread !== null && spread <= NO_SPREAD.rewards).length / spreads.length,
    accuracy: weighted(means("pass_rate"), counts),
    filtered_fraction: passed.filter(Boolean).length / passed.length,
    generation_batches: Math.max(...column<number>("generation_batch")),
    replayed_fraction: replayedFraction(completions),
  };
}

type Maybe = readonly (number | null)[];

/** Mean over completions of what is told per group; null where no group tells. */
function weighted(values: Maybe, counts: readonly number[]): number | null {
  let sum = 0, count = 0;
  values.forEach((value, i) => {
    if (value === null) return;
    sum += value * counts[i]!;
    count += counts[i]!;
  });
  return count ? sum / count : null;
}

/** Standard deviation over all completions, with Bessel's correction, of means and deviations per group. */
function pooledStd(means: Maybe, stds: Maybe, counts: readonly number[]): number | null {
  const mean = weighted(means, counts);
  if (mean === null) return null;
  let squares = 0, count = 0;
  means.forEach((of, i) => {
    if (of === null) return;
    const n = counts[i]!;
    squares += (n - 1) * (stds[i] ?? 0) ** 2 + n * (of - mean) ** 2;
    count += n;
  });
  return count > 1 ? Math.sqrt(squares / (count - 1)) : null;
}

function replayedFraction(completions: ColumnTable): number {
  if (!completions.column("replayed_from")) return 0;
  const from = Array.from(columnArray(completions, "replayed_from"));
  return from.filter((step) => step !== null && step !== undefined).length / from.length;
}
