/** Which tokens of an update have the highest entropy. @module */

type Rows = readonly ArrayLike<number>[];

/**
 * 1 on the tokens whose entropy is at least the quantile 1 - fraction of those that count, interpolated linearly; 0 on
 * others and on tokens that do not count.
 *
 * entropy, mask   [B][T]  nats; 1 on tokens that count
 * fraction        (0, 1]  share of tokens that stay
 * Source: Wang et al. 2025, "Beyond the 80/20 rule"; TRL grpo_trainer.get_high_entropy_mask.
 */
export function topEntropyMask(entropy: Rows, mask: Rows, fraction: number): Float32Array[] {
  const counted = entropy.flatMap((row, r) => Array.from(row).filter((_, t) => mask[r]![t]));
  const threshold = quantile(counted, 1 - fraction);
  return entropy.map((row, r) => Float32Array.from(row, (value, t) => mask[r]![t] && value >= threshold ? 1 : 0));
}

/** Linear between neighbours, as torch.quantile; NaN of nothing or where a value is NaN. */
function quantile(values: readonly number[], q: number): number {
  if (!values.length || values.some(Number.isNaN)) return NaN;
  const sorted = values.toSorted((a, b) => a - b), at = q * (sorted.length - 1), below = Math.floor(at);
  const low = sorted[below]!, high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const weight = at - below; // from the nearer end, as torch.lerp
  return weight < 0.5 ? low + weight * (high - low) : high - (high - low) * (1 - weight);
}
