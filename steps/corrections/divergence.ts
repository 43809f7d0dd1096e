/** How far trainer and sampler are apart on one rollout: KL, perplexities, χ². @module */
import { plainKl } from "../../gpu/losses/kl.ts";
import { clamp, largest, mapRows, maskedSum, meanOf, rowMean, type Rows, smallest, tokenMean } from "./masked_rows.ts";
import { LOG_BOUND } from "./sampler_weights.ts";

/**
 * old, sampler   [B, T]  log p of the drawn token, nats
 * mask           [B, T]  1 on tokens that count
 * returns        kl and k3_kl of sampler to trainer in nats per token; perplexities per completion, then their mean;
 *                chi2_token = E[ρ²] - 1 and chi2_seq = E[(Π ρ)²] - 1 with ρ = trainer over sampler
 * Source: verl `rollout_corr_helper.compute_offpolicy_metrics`.
 */
export function divergence(old: Rows, sampler: Rows, mask: Rows): Record<string, number> {
  const q = mapRows(old, (value, i, t) => mask[i]![t] ? value - sampler[i]![t]! : 0);
  const training = old.map((row, i) => rowMean(row, mask[i]!));
  const rollout = sampler.map((row, i) => rowMean(row, mask[i]!));
  const gaps = rollout.map((mean, i) => mean - training[i]!);
  const bounded = (value: number) => clamp(value, -LOG_BOUND, LOG_BOUND);
  const perplexity = (means: readonly number[]) => meanOf(means.map((mean) => Math.exp(-mean)));
  return {
    training_ppl: perplexity(training),
    training_log_ppl: -meanOf(training),
    kl: tokenMean(mapRows(q, (value) => -value), mask),
    k3_kl: tokenMean(mapRows(q, (value) => plainKl("k3", -value)), mask),
    rollout_ppl: perplexity(rollout),
    rollout_log_ppl: -meanOf(rollout),
    log_ppl_diff: meanOf(gaps),
    log_ppl_abs_diff: meanOf(gaps.map(Math.abs)),
    log_ppl_diff_max: largest(gaps),
    log_ppl_diff_min: smallest(gaps),
    ppl_ratio: meanOf(gaps.map(Math.exp)),
    chi2_token: tokenMean(mapRows(q, (value) => Math.exp(bounded(value)) ** 2), mask) - 1,
    chi2_seq: meanOf(q.map((row, i) => Math.exp(2 * bounded(maskedSum(row, mask[i]!))))) - 1,
  };
}
