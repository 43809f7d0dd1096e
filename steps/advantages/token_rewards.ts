/** Rewards on tokens: where a completion's reward stands, and what is still to come after each token. @module */
import type { AdvantageBatch, TokenAdvantages } from "./advantage.ts";

/** The mask of every completion, scored or not. */
export function tokenMasks({ masks, lengths }: AdvantageBatch): readonly ArrayLike<number>[] {
  return masks ?? lengths.map((length) => new Float32Array(length).fill(1));
}

/** The mask of every completion; of one that was not scored nothing counts. */
export function countedMasks(batch: AdvantageBatch): readonly ArrayLike<number>[] {
  return tokenMasks(batch).map((mask, row) => batch.rewards[row] === null ? new Float32Array(mask.length) : mask);
}

/** A reward within the bounds that hold after it was compared with its group's. */
export function clipShaped(
  reward: number,
  { shapedClip: [low, high] = [-Infinity, Infinity] }: AdvantageBatch,
): number {
  return Math.min(Math.max(reward, low), high);
}

/**
 * Reward per token: a completion's own on its last counted token, clipped, plus what its tokens earn besides. The reward
 * of a completion without a counted token is lost (OpenRLHF models/utils.py compute_reward; verl core_algos.py).
 *
 * shaped   reward per completion, compared with its group's where the estimator does that
 * returns  per completion, per token
 */
export function onTokens(
  shaped: readonly (number | null)[],
  batch: AdvantageBatch,
  masks: readonly ArrayLike<number>[],
): number[][] {
  return masks.map((mask, row) => {
    const tokens = Array.from(mask, (_, t) => batch.tokenRewards?.[row]?.[t] ?? 0);
    const last = Array.prototype.lastIndexOf.call(mask, 1);
    if (last >= 0) tokens[last]! += clipShaped(shaped[row] ?? 0, batch);
    return tokens;
  });
}

/**
 * The sum of what counted tokens earn from here on, discounted by gamma per token between; what the others earn is lost.
 * gaps "count": tokens that do not count, such as a tool's output, are discounted over like the others (OpenRLHF
 * experience_maker.py get_cumulative_returns).
 * gaps "skip": they are stepped over, and their own return is 0 (verl core_algos.py
 * compute_reinforce_plus_plus_outcome_advantage).
 */
export function returnsToGo(
  rewards: readonly (readonly number[])[],
  masks: readonly ArrayLike<number>[],
  gamma: number,
  gaps: "count" | "skip" = "count",
): number[][] {
  return rewards.map((row, i) => {
    const mask = masks[i]!, returns = row.map(() => 0);
    let ahead = 0;
    for (let t = row.length - 1; t >= 0; t--) {
      const counts = mask[t]!;
      if (gaps === "count") returns[t] = ahead = row[t]! * counts + gamma * ahead;
      else {
        returns[t] = (row[t]! + gamma * ahead) * counts;
        ahead = returns[t]! + (1 - counts) * ahead;
      }
    }
    return returns;
  });
}

/** Each value times its mask. */
export const masked = (values: readonly (readonly number[])[], masks: readonly ArrayLike<number>[]): number[][] =>
  values.map((row, i) => row.map((value, t) => value * masks[i]![t]! + 0)); // + 0: no -0

/** Advantages per completion as ones per token, less what each token pays from there on (OpenRLHF, gamma 1). */
export function spreadOverTokens(shaped: readonly number[], batch: AdvantageBatch): TokenAdvantages {
  const masks = countedMasks(batch), returns = returnsToGo(onTokens(shaped, batch, masks), masks, 1);
  return { shaped, tokens: masked(returns, masks), returns };
}
