/** From a batch to advantages, with what every estimator has in common. @module */
import type { Advantage, AdvantageBatch, TokenAdvantages } from "./advantage.ts";
import { clipShaped, countedMasks, spreadOverTokens } from "./token_rewards.ts";

export interface Estimated {
  /** Per completion; of one per token the mean over the counted tokens, 0 where none counts. */
  readonly advantage: number[];
  /** What the tokens of a completion earn together, not discounted: its shaped reward and what they earn besides. */
  readonly totals: number[];
  /** Per token; null where all tokens of a completion have the same. */
  readonly tokens: number[][] | null;
  readonly returns: number[][] | null;
}

/**
 * What an estimator makes of a batch. One that compares whole completions gets its advantages clipped (`shapedClip`), and
 * put on tokens where these earn something besides (`tokenRewards`).
 */
export function estimate(advantage: Advantage, params: Record<string, unknown>, batch: AdvantageBatch): Estimated {
  const found = advantage.advantages(params, batch);
  if (!Array.isArray(found)) return perToken(found, batch);
  if (batch.tokenRewards) return perToken(spreadOverTokens(found, batch), batch);
  const clipped = found.map((value) => clipShaped(value, batch));
  return { advantage: clipped, totals: clipped, tokens: null, returns: null };
}

function perToken({ shaped, tokens, returns }: TokenAdvantages, batch: AdvantageBatch): Estimated {
  const masks = countedMasks(batch);
  const advantage = tokens.map((row, i) => {
    let sum = 0, count = 0;
    row.forEach((value, t) => {
      if (!masks[i]![t]) return;
      sum += value;
      count++;
    });
    return count === 0 ? 0 : sum / count;
  });
  const totals = shaped.map((reward, row) => {
    let sum = clipShaped(reward ?? 0, batch);
    const besides = batch.tokenRewards?.[row] ?? [];
    for (let t = 0; t < besides.length; t++) sum += besides[t]!;
    return sum;
  });
  return { advantage, totals, tokens, returns };
}
