/** The optimal token baseline: what is to come beside the group's, weighted by how much each token moves the policy. @module */
import { z } from "zod";
import { logRatios } from "../corrections/log_ratios.ts";
import { LOG_BOUND, samplerWeights } from "../corrections/sampler_weights.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { type AdvantageBatch, defineAdvantage } from "./advantage.ts";
import { countedMasks, masked, onTokens, returnsToGo } from "./token_rewards.ts";

const params = z.strictObject({
  positions: z.enum(["all", "counted"]).default("all").describe(
    "optimal_token_baseline: compare the n-th tokens of a group, or its n-th counted tokens, as for turns with tools",
  ),
  zero_tail: z.boolean().default(true).describe(
    "optimal_token_baseline: no baseline where only the longest completion of the group still goes on",
  ),
  eps: z.number().min(0).default(1e-8).describe("optimal_token_baseline: added to the sum of weights"),
  sampler_weights: z.enum(["none", "token", "sequence"]).default("none").describe(
    "optimal_token_baseline: count each token's gradient by its importance weight over the sampler, as apply_update does",
  ),
  sampler_bound: z.number().positive().default(2).describe("optimal_token_baseline: largest such weight (verl)"),
});

type Params = z.output<typeof params>;

/**
 * A_t = G_t - B_t, B_t = sum_g(G_t W_t) / (sum_g(W_t) + eps), W_t = sum_{u<=t} (1 - 2 p_u + Σ_v p_v²) w_u², p of the
 * sampled token, w the sampler's importance weight (verl core_algos.py compute_optimal_token_baseline_advantage and
 * compute_multi_turn_optimal_token_baseline_advantage). A completion alone in its group has no baseline.
 */
export const optimalTokenBaseline = defineAdvantage({
  about:
    "Return minus the group's mean return at the same token, weighted by the squared length of its gradient so far",
  method: {
    formula: "A_t = G_t - sum_g(G_t W_t) / (sum_g(W_t) + eps), W_t = sum_{u<=t} (1 - 2 p_u + sum_v p_v^2) w_u^2",
    source:
      "verl core_algos.py compute_optimal_token_baseline_advantage, compute_multi_turn_optimal_token_baseline_advantage",
    names: {
      verl:
        "algorithm.adv_estimator=optimal_token_baseline|tir_optimal_token_baseline (default gae; handle_zero_tail true)",
    },
  },
  params,
  problems: ({ sampler_weights }, said) =>
    sampler_weights === "none"
      ? withoutEffect(said, params.shape, ["sampler_bound"], "sampler_weights is none, want token or sequence")
      : [],
  minGroupSize: () => 2,
  sumsToZero: () => false,
  followsRewards: () => false,
  perToken: true,
  needs: ["logSumSquares", "logprobs", "samplerLogprobs"],
  advantages(given, batch) {
    const masks = countedMasks(batch);
    const returns = returnsToGo(onTokens(batch.rewards, batch, masks), masks, 1);
    const weights = cumulativeWeights(given, batch, masks), tokens = returns.map((row) => [...row]);
    for (const rows of members(given, batch, masks)) {
      if (rows.length > 1) takeBaselines(rows, returns, weights, masks, given, tokens);
    }
    return { shaped: batch.rewards, tokens: masked(tokens, masks), returns };
  },
});

/** Scored rows of each group; where counted tokens are compared, a row without one is none of it (verl). */
function members(
  { positions }: Params,
  { groups, rewards }: AdvantageBatch,
  masks: readonly ArrayLike<number>[],
): number[][] {
  const rows: number[][] = [];
  groups.forEach((group, row) => {
    const counts = rewards[row] !== null && (positions === "all" || Array.from(masks[row]!).includes(1));
    if (counts) (rows[group] ??= []).push(row);
  });
  return rows.filter((each) => each !== undefined);
}

/** verl's truncated weights, or those that are given. */
function importanceWeights(
  { sampler_weights: level, sampler_bound }: Params,
  { logprobs, samplerLogprobs, samplerWeights: known }: AdvantageBatch,
  masks: readonly ArrayLike<number>[],
): readonly ArrayLike<number>[] | null {
  if (known || level === "none" || !samplerLogprobs) return known ?? null;
  const how = { level, bounds: [null, sampler_bound], outside: "truncate", logBound: LOG_BOUND } as const;
  return samplerWeights(logRatios(logprobs!, samplerLogprobs, masks), masks, how);
}

function cumulativeWeights(
  given: Params,
  batch: AdvantageBatch,
  masks: readonly ArrayLike<number>[],
): number[][] {
  const importance = importanceWeights(given, batch, masks);
  return masks.map((mask, row) => {
    let sum = 0;
    return Array.from(mask, (counts, t) => {
      const p = Math.exp(batch.logprobs![row]![t]!), squares = Math.exp(batch.logSumSquares![row]![t]!);
      const weight = importance?.[row]?.[t] ?? 1;
      if (counts) sum += (1 - 2 * p + squares) * weight * weight;
      return sum;
    });
  });
}

/** Takes the baseline of each place off the tokens of a group. */
function takeBaselines(
  rows: readonly number[],
  returns: readonly (readonly number[])[],
  weights: readonly (readonly number[])[],
  masks: readonly ArrayLike<number>[],
  { positions, zero_tail, eps }: Params,
  tokens: number[][],
): void {
  const counted = rows.map((row) => Array.from(masks[row]!, (m, t) => m ? t : -1).filter((t) => t >= 0));
  const placeOf = (t: number, n: number) => positions === "all" ? t : n;
  const above: number[] = [], below: number[] = [];
  rows.forEach((row, i) =>
    counted[i]!.forEach((t, n) => {
      const place = placeOf(t, n), weight = weights[row]![t]!;
      above[place] = (above[place] ?? 0) + returns[row]![t]! * weight;
      below[place] = (below[place] ?? 0) + weight;
    })
  );
  const lengths = counted.map(({ length }) => length), [longest, second] = lengths.toSorted((a, b) => b - a);
  rows.forEach((row, i) => {
    const free = zero_tail && lengths[i]! > second! && lengths[i] === longest ? second! : Infinity;
    counted[i]!.forEach((t, n) => {
      const place = placeOf(t, n);
      if (place < free) tokens[row]![t]! -= above[place]! / (below[place]! + eps);
    });
  });
}
