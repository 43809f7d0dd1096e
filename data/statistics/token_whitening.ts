/** Whitens one value per completion as if each of its tokens carried it. @module */

const EPS = 1e-8;

/**
 * (x - mean) / sqrt(var + 1e-8), with mean and variance over all completion tokens of the batch, the variance with
 * Bessel's correction (verl `masked_whiten`, verl/utils/torch_functional.py).
 *
 * values   one per completion; null = left out, gives 0
 * lengths  tokens per completion
 * returns  zeros where every value is left out, as the other estimators do
 * throws   RangeError for one token, which has no variance
 */
export function whitenOverTokens(values: readonly (number | null)[], lengths: readonly number[]): number[] {
  let tokens = 0, sum = 0;
  values.forEach((value, i) => {
    if (value === null) return;
    tokens += lengths[i]!;
    sum += value * lengths[i]!;
  });
  if (values.every((value) => value === null)) return values.map(() => 0);
  if (tokens < 2) throw new RangeError(`Cannot whiten advantages: ${tokens} scored completion tokens, want at least 2`);
  const mean = sum / (tokens + EPS);
  let squares = 0;
  values.forEach((value, i) => {
    if (value !== null) squares += (value - mean) ** 2 * lengths[i]!;
  });
  const variance = squares / (tokens + EPS) * (tokens / (tokens - 1));
  const scale = 1 / Math.sqrt(variance + EPS);
  return values.map((value) => value === null ? 0 : (value - mean) * scale);
}
