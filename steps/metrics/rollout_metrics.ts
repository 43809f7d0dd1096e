/** The metrics of a train step that follow from its completions alone. @module */
import type { ColumnTable } from "arquero";
import {
  groupMoments,
  groupNumbers,
  type Moments,
  moments,
  uniqueFraction,
  zeroSpreadFraction,
} from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";

/** What `rolloutMetrics` measures. */
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
] as const;

const meanOf = ({ count, mean }: Moments): number | null => count === 0 ? null : mean;
const stdOf = ({ count, std }: Moments): number | null => count < 2 ? null : std;

/** completions: rows of one train step, with reward, advantage, completion_mask, text, truncated. */
export function rolloutMetrics(completions: ColumnTable): Record<(typeof ROLLOUT_COLUMNS)[number], number | null> {
  const column = <T>(name: string): ArrayLike<T> | null =>
    completions.column(name) ? columnArray(completions, name) as ArrayLike<T> : null;
  const groups = groupNumbers(completions);
  const rewards = Array.from(column<number | null>("reward") ?? groups.map(() => null));
  const withSpread = groupMoments(rewards, groups).filter(({ count }) => count > 1);
  const texts = column<ArrayLike<number>>("token_ids")!;
  const lengths = Array.from(column<number>("completion_tokens")!);
  const truncated = Array.from(column<boolean>("truncated")!);
  const ended = lengths.filter((_, i) => !truncated[i]);
  const correct = Array.from(column<boolean | null>("correct") ?? []).filter((c) => c !== null && c !== undefined);
  const advantages = moments(Array.from(column<number>("advantage")!));
  const masks = column<ArrayLike<number>>("completion_mask")!;
  let tokens = 0;
  for (const mask of Array.from(masks)) for (let t = 0; t < mask.length; t++) tokens += mask[t]!;
  const format = column<number | null>("reward.format") ?? column<number | null>("reward.visual/format");
  const reward = moments(rewards);
  return {
    reward: meanOf(reward),
    reward_std: stdOf(reward),
    group_reward_std: meanOf(moments(withSpread.map(({ std }) => std))),
    zero_spread_fraction: zeroSpreadFraction(rewards, groups),
    accuracy: correct.length ? correct.filter(Boolean).length / correct.length : null,
    format: meanOf(moments(Array.from(format ?? []))),
    advantage_mean: advantages.mean,
    advantage_std: stdOf(advantages),
    completion_length: moments(lengths).mean,
    completion_length_min: Math.min(...lengths),
    completion_length_max: Math.max(...lengths),
    terminated_length: meanOf(moments(ended)),
    truncated_fraction: truncated.filter(Boolean).length / truncated.length,
    unique_fraction: uniqueFraction(Array.from(texts, String), groups)!,
    loss_tokens: tokens,
  };
}
