/** Whitens values by the mean and variance of the tokens that carry them. @module */

/** Keeps a variance of zero from dividing: added to it, or what it is at least; verl and OpenRLHF have the same. */
const EPS = 1e-8;

/** How a batch of tokens is whitened. */
interface Whitening {
  /**
   * unbiased: Bessel's correction, 1e-8 added to the variance and to the counts (verl `masked_whiten`);
   * biased: none, the variance at least 1e-8 (OpenRLHF experience_maker.py, `masked_normalize`).
   */
  readonly variance: "unbiased" | "biased";
  /** Divide by the deviation; without it only the mean is taken off (OpenRLHF `no_std_norm`). */
  readonly divide?: boolean;
  /** In place of 1e-8. */
  readonly eps?: number;
  /** Put the mean back afterwards (verl `shift_mean: false`). */
  readonly keepMean?: boolean;
}

/** verl's, with all of it. */
const UNBIASED: Whitening = { variance: "unbiased" };

/** Values, each with the number of tokens that carry it. */
type Weighted = readonly (readonly [value: number, tokens: number])[];

/**
 * What whitening does to one value of a batch.
 *
 * throws RangeError for less than two tokens, of which there is no unbiased variance, or for none
 */
function whitener(
  values: Weighted,
  { variance, divide = true, keepMean = false, eps = EPS }: Whitening,
): (x: number) => number {
  const unbiased = variance === "unbiased", least = unbiased && divide ? 2 : 1, added = unbiased ? eps : 0;
  let tokens = 0, sum = 0, squares = 0;
  for (const [value, count] of values) {
    if (count === 0) continue;
    tokens += count;
    sum += value * count;
  }
  if (tokens < least) {
    throw new RangeError(`Cannot whiten advantages: ${tokens} scored completion tokens, want at least ${least}`);
  }
  const mean = sum / (tokens + added), back = keepMean ? mean : 0;
  if (!divide) return (x) => x - mean + back;
  for (const [value, count] of values) if (count > 0) squares += (value - mean) ** 2 * count;
  const spread = squares / (tokens + added);
  const scale = 1 / Math.sqrt(unbiased ? spread * (tokens / (tokens - 1)) + eps : Math.max(spread, eps));
  return (x) => (x - mean) * scale + back;
}

/**
 * One value per completion, whitened as if each of its tokens carried it (verl `masked_whiten`,
 * verl/utils/torch_functional.py).
 *
 * values   one per completion; null = left out, gives 0
 * lengths  tokens per completion
 * returns  zeros where every value is left out, as the other estimators do
 * throws   RangeError for one token, which has no variance
 */
export function whitenOverTokens(
  values: readonly (number | null)[],
  lengths: readonly number[],
  how: Whitening = UNBIASED,
): number[] {
  if (values.every((value) => value === null)) return values.map(() => 0);
  const whiten = whitener(values.flatMap((value, i) => value === null ? [] : [[value, lengths[i]!] as const]), how);
  return values.map((value) => value === null ? 0 : whiten(value));
}

/**
 * Values per token, whitened over the tokens that count.
 *
 * values   per completion, per token
 * masks    the same shape, 1 where a token counts
 * returns  the same shape; tokens that do not count are moved and scaled like the others (verl's GAE leaves them so)
 * throws   RangeError for one token, which has no unbiased variance, or none
 */
export function whitenTokens(
  values: readonly (readonly number[])[],
  masks: readonly ArrayLike<number>[],
  how: Whitening = UNBIASED,
): number[][] {
  const whiten = whitener(values.flatMap((row, i) => row.map((value, t) => [value, masks[i]![t]!] as const)), how);
  return values.map((row) => row.map(whiten));
}
