/** Which rows an update of `train_preferences` learns from. @module */
import { shuffle as shuffled } from "../../data/random.ts";
import type { Example } from "./examples.ts";

/** How the rows are dealt out. */
export interface Loop {
  /** Rows of one gradient. */
  readonly batchSize: number;
  /** Gradients of one update. */
  readonly accumulation: number;
  /** Updates of one pass over the rows; rows that do not fill an update are left out of it. */
  readonly updatesPerEpoch: number;
  /** Another order in each epoch. */
  readonly shuffle: boolean;
}

/** Throws a RangeError where there are too few rows for one update. */
export function loopOf(rows: number, batchSize: number, accumulation: number, shuffle: boolean): Loop {
  const each = batchSize * accumulation, updatesPerEpoch = Math.floor(rows / each);
  if (updatesPerEpoch > 0) return { batchSize, accumulation, updatesPerEpoch, shuffle };
  throw new RangeError(
    `Cannot train on preferences: split "train" has ${rows} rows, want at least ${each} for one update; lower batch_size`,
  );
}

/** The batches of an update; a function of the seed and the update's number alone. */
export function batchesOf(examples: readonly Example[], update: number, loop: Loop, seed: number): Example[][] {
  const { batchSize, accumulation, updatesPerEpoch, shuffle } = loop,
    epoch = Math.floor((update - 1) / updatesPerEpoch);
  const order = shuffle ? shuffled(examples, seed, "preference_order", epoch) : examples;
  const from = ((update - 1) % updatesPerEpoch) * batchSize * accumulation;
  return Array.from(
    { length: accumulation },
    (_, b) => order.slice(from + b * batchSize, from + (b + 1) * batchSize),
  );
}

/**
 * Throws a RangeError where a batch has one class only: the KL of `kto_vanilla` is taken from each class by itself, NaN
 * where a batch has no such row.
 */
export function requireBothClasses(examples: readonly Example[], loop: Loop, seed: number): void {
  for (let update = 1; update <= loop.updatesPerEpoch; update++) {
    for (const batch of batchesOf(examples, update, loop, seed)) {
      if (new Set(batch.map(({ label }) => label)).size === 2) continue;
      throw new RangeError(
        `Cannot train with loss kto_vanilla: a batch of update ${update} has one class only, want both in each; raise ` +
          "batch_size, or use loss kto",
      );
    }
  }
}
