/** Draws one token from a row of probabilities in JavaScript, by inverse CDF of one uniform. @module */

const BLOCK = 32; // Probabilities per partial sum.

let sums = new Float64Array(64);

/** What was drawn, and its probability among the tokens that may be drawn. */
export interface Draw {
  token: number;
  drawn: number;
  /** What all tokens that may be drawn have together. */
  total: number;
}

/**
 * The first place where the cumulative probability exceeds uniform · total, the tokens of `suppress` left out.
 *
 * probabilities  float32 [rows · size], of which row `row` is read; need not add up to exactly 1
 * into           receives the result, so that no object is made per token
 *
 * Sums are float64, in a fixed order: the same bits whatever the batch. A place of probability 0 is never drawn.
 */
export function drawRow(
  probabilities: Float32Array,
  row: number,
  size: number,
  uniform: number,
  suppress: ReadonlySet<number> | null,
  into: Draw,
): void {
  const first = row * size, blocks = Math.ceil(size / BLOCK);
  if (sums.length < blocks) sums = new Float64Array(blocks);
  let total = 0;
  for (let block = 0; block < blocks; block++) {
    const start = first + block * BLOCK, end = Math.min(start + BLOCK, first + size);
    let a = 0, b = 0, c = 0, d = 0, i = start;
    for (; i + 3 < end; i += 4) {
      a += probabilities[i]!;
      b += probabilities[i + 1]!;
      c += probabilities[i + 2]!;
      d += probabilities[i + 3]!;
    }
    for (; i < end; i++) a += probabilities[i]!;
    sums[block] = a + b + (c + d);
  }
  // Summed anew: what is taken from a rounded sum leaves nothing of what is much smaller.
  if (suppress) {
    for (const block of new Set(Array.from(suppress, (id) => Math.floor(id / BLOCK)))) {
      const start = block * BLOCK, end = Math.min(start + BLOCK, size);
      sums[block] = 0;
      for (let i = start; i < end; i++) if (!suppress.has(i)) sums[block]! += probabilities[first + i]!;
    }
  }
  for (let block = 0; block < blocks; block++) total += sums[block]!;
  let rest = uniform * total, block = 0;
  while (block < blocks - 1 && rest >= sums[block]!) rest -= sums[block++]!;
  let last = -1;
  // Rounding may leave `rest` at or above the block's own sum: then its last possible token is drawn.
  for (; last < 0 && block >= 0; block--) {
    for (let i = block * BLOCK; i < Math.min(size, (block + 1) * BLOCK); i++) {
      const p = probabilities[first + i]!;
      if (p === 0 || suppress?.has(i)) continue;
      last = i;
      if (rest < p) break;
      rest -= p;
    }
  }
  // Only where nothing can be drawn: the probabilities are NaN.
  into.token = Math.max(last, 0);
  into.drawn = probabilities[first + into.token]! / (suppress ? total : 1);
  into.total = total;
}
