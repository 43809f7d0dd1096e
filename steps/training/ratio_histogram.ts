/** How the importance ratios of an update are distributed. @module */
import type { TrainBatch, TrainResult } from "../../gpu/language_model.ts";
import { RATIO_BINS } from "../../data/signals/ratio_bins.ts";

/**
 * Share of the tokens that count in each of `RATIO_BINS` bins of log(p / p_old), by the log-probs that the update's own graph
 * computed; null where the batch has no old log-probs: each ratio is then 1.
 */
export function ratioHistogram(batches: readonly TrainBatch[], results: readonly TrainResult[]): number[] | null {
  const counts: number[] = Array(RATIO_BINS.count).fill(0);
  let tokens = 0;
  for (const [index, { inputs, completionMask }] of batches.entries()) {
    const old = inputs?.["old_logprobs"] as readonly ArrayLike<number>[] | undefined;
    const now = results[index]!.logprobs;
    if (old === undefined || now.length !== old.length) return null;
    for (const [row, logprobs] of now.entries()) {
      for (let t = 0; t < old[row]!.length; t++) {
        if (completionMask && !completionMask[row]![t]) continue;
        const bin = RATIO_BINS.binOf(logprobs[t]! - old[row]![t]!);
        if (Number.isNaN(bin)) return null;
        counts[bin]!++;
        tokens++;
      }
    }
  }
  return tokens === 0 ? null : counts.map((count) => count / tokens);
}
