/** The metrics of a train step that follow from its completions alone. @module */
import type { ColumnTable } from "arquero";
import { groupNumbers } from "../advantages/statistics/groups.ts";

export interface RolloutMetrics {
  readonly reward: number | null;
  readonly reward_std: number | null;
  readonly group_reward_std: number | null;
  readonly zero_spread_fraction: number | null;
  readonly accuracy: number | null;
  readonly format: number | null;
  readonly advantage_mean: number;
  readonly advantage_std: number;
  readonly completion_length: number;
  readonly completion_length_min: number;
  readonly completion_length_max: number;
  readonly terminated_length: number | null;
  readonly truncated_fraction: number;
  readonly unique_fraction: number;
  readonly loss_tokens: number;
}

/** Their names. */
export const ROLLOUT_COLUMNS = [
  "reward",
  "reward_std",
  "group_reward_std",
  "zero_spread_fraction",
  "accuracy",
  "format",
  "advantage_mean",
  "advantage_std",
  "completion_length",
  "completion_length_min",
  "completion_length_max",
  "terminated_length",
  "truncated_fraction",
  "unique_fraction",
  "loss_tokens",
] as const satisfies readonly (keyof RolloutMetrics)[];

interface Moments {
  readonly mean: number;
  readonly std: number;
}

/** Mean and sample standard deviation (n - 1) of the values; null when there is none. */
function momentsOf(values: readonly number[]): Moments | null {
  if (!values.length) return null;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
  return { mean, std: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}

/** completions: rows of one train step, with reward, advantage, completion_mask, text, truncated. */
export function rolloutMetrics(completions: ColumnTable): RolloutMetrics {
  const column = <T>(name: string): ArrayLike<T> | null =>
    completions.column(name) ? completions.array(name) as ArrayLike<T> : null;
  const groups = groupRows(completions);
  const rewards = Array.from(column<number | null>("reward") ?? []);
  const scored = rewards.filter((r): r is number => r !== null && r !== undefined);
  const perGroup = groups.map((rows) =>
    rows.map((r) => rewards[r]).filter((r): r is number => r !== null && r !== undefined)
  );
  const withRewards = perGroup.filter((g) => g.length > 0);
  const spread = withRewards.map((g) => momentsOf(g)!.std);
  const texts = column<ArrayLike<number>>("token_ids")!;
  const lengths = Array.from(column<number>("completion_tokens")!);
  const truncated = Array.from(column<boolean>("truncated")!);
  const ended = lengths.filter((_, i) => !truncated[i]);
  const correct = Array.from(column<boolean | null>("correct") ?? []).filter((c) => c !== null && c !== undefined);
  const format = Array.from(column<number | null>("reward.format") ?? []).filter((c): c is number => c !== null);
  const advantages = momentsOf(Array.from(column<number>("advantage")!))!;
  const masks = column<ArrayLike<number>>("completion_mask")!;
  let tokens = 0;
  for (let i = 0; i < masks.length; i++) for (let t = 0; t < masks[i]!.length; t++) tokens += masks[i]![t]!;
  const reward = momentsOf(scored);
  return {
    reward: reward?.mean ?? null,
    reward_std: reward?.std ?? null,
    group_reward_std: spread.length ? momentsOf(spread)!.mean : null,
    zero_spread_fraction: withRewards.length
      ? withRewards.filter((g) => g.every((r) => r === g[0])).length / withRewards.length
      : null,
    accuracy: correct.length ? correct.filter(Boolean).length / correct.length : null,
    format: momentsOf(format)?.mean ?? null,
    advantage_mean: advantages.mean,
    advantage_std: advantages.std,
    completion_length: momentsOf(lengths)!.mean,
    completion_length_min: Math.min(...lengths),
    completion_length_max: Math.max(...lengths),
    terminated_length: momentsOf(ended)?.mean ?? null,
    truncated_fraction: truncated.filter(Boolean).length / truncated.length,
    unique_fraction:
      momentsOf(groups.map((rows) => new Set(rows.map((r) => String(texts[r]))).size / rows.length))!.mean,
    loss_tokens: tokens,
  };
}

/** Row numbers of each group, in order of first appearance. A prompt drawn twice in a train step has two groups. */
export function groupRows(completions: ColumnTable): number[][] {
  const groups: number[][] = [];
  groupNumbers(completions).forEach((group, row) => (groups[group] ??= []).push(row));
  return groups;
}
