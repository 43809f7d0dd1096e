/** Log-ratios of trainer over sampler: how the two disagree about tokens that were drawn. @module */
import { mapRows, type Rows } from "./masked_rows.ts";

/**
 * q = old - sampler, nats; 0 on tokens that do not count, and where the sampler gave no value (NaN): ratio 1, as TRL has
 * it. A NaN of the trainer stays.
 *
 * old, sampler   [B, T]  log p of the drawn token, nats
 * mask           [B, T]  1 on tokens that count
 * Throws RangeError where the shapes differ.
 */
export function logRatios(old: Rows, sampler: Rows, mask: Rows): Float64Array[] {
  assertSameShape(old, sampler, mask);
  return mapRows(mask, (counts, i, t) => {
    const value = sampler[i]![t]!;
    return !counts || Number.isNaN(value) ? 0 : old[i]![t]! - value;
  });
}

/** Tokens that count and have no log-prob of the sampler. */
export function missingTokens(sampler: Rows, mask: Rows): number {
  let missing = 0;
  mask.forEach((row, i) => {
    for (let t = 0; t < row.length; t++) if (row[t] && Number.isNaN(sampler[i]![t]!)) missing++;
  });
  return missing;
}

function assertSameShape(old: Rows, sampler: Rows, mask: Rows): void {
  const shape = (rows: Rows) => `${rows.length} rows of ${[...new Set(Array.from(rows, ({ length }) => length))]}`;
  const same = (rows: Rows) => rows.length === mask.length && rows.every((row, i) => row.length === mask[i]!.length);
  for (const [name, rows] of [["old_logprobs", old], ["sampler_logprobs", sampler]] as const) {
    if (same(rows)) continue;
    throw new RangeError(
      `Cannot compare trainer and sampler: ${name} has ${shape(rows)} tokens, want those of the mask, ${shape(mask)}`,
    );
  }
}
