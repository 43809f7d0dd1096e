/** The advantage of PPO: better than its critic expected. @module */
import { z } from "zod";
import { whitenTokens } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { defineAdvantage } from "./advantage.ts";
import { GAMMA, WHITENING, whiteningProblems } from "./reinforce_plus_plus.ts";
import { countedMasks, masked, onTokens } from "./token_rewards.ts";

const params = z.strictObject({
  gamma: GAMMA,
  lambda: z.number().min(0).max(1).default(1).describe("gae: weight of what lies further ahead; 1 = the whole return"),
  whiten: z.boolean().default(true).describe("gae: whiten the advantages over the batch's tokens"),
  whiten_rewards: z.boolean().default(false).describe(
    "gae: divide the rewards on tokens, their KL included, by the deviation over the batch's tokens (TRL PPO)",
  ),
  ...WHITENING,
});

/**
 * A_t = δ_t + gamma lambda A_{t+1}, δ_t = r_t + gamma V_{t+1} - V_t; tokens that do not count are stepped over. Returns
 * are A + V before the whitening; with `whiten_rewards` rewards are scaled about their mean first, as TRL's PPO does (GAE, arXiv 1506.02438 eq. 16; verl core_algos.py compute_gae_advantage_return).
 */
export const gae = defineAdvantage({
  about: "Generalised advantage estimate from a critic's values, whitened over the batch's tokens",
  method: {
    formula:
      "A_t = d_t + gamma lambda A_{t+1}, d_t = r_t + gamma V_{t+1} - V_t; return = A + V; A whitened over all tokens",
    source:
      "GAE, arXiv 1506.02438 eq. 16; verl core_algos.py compute_gae_advantage_return; OpenRLHF experience_maker.py",
    names: {
      trl: "PPO: gamma (1), lam (0.95), whiten_rewards (false)",
      verl: "algorithm.adv_estimator=gae (the default), algorithm.gamma (1), algorithm.lam (1)",
      openrlhf: "algo.advantage.estimator=gae (the default), gamma (1), lambd (1); variance biased, at least 1e-8",
    },
  },
  params,
  problems: (given, said) =>
    given.whiten
      ? whiteningProblems(given, said)
      : withoutEffect(said, params.shape, ["variance", "divide_by_std"], "whiten is false, want true"),
  minGroupSize: () => 1,
  perToken: true,
  needs: ["values"],
  advantages({ gamma, lambda, whiten, whiten_rewards, variance, divide_by_std }, batch) {
    const masks = countedMasks(batch), plain = onTokens(batch.rewards, batch, masks);
    const isScored = batch.rewards.some((reward) => reward !== null);
    const rewards = whiten_rewards && isScored
      ? masked(whitenTokens(plain, masks, { variance: "unbiased", keepMean: true }), masks)
      : plain;
    const tokens = rewards.map((row, i) => rowAdvantages(row, batch.values![i]!, masks[i]!, gamma, gamma * lambda));
    const returns = tokens.map((row, i) => row.map((value, t) => value + batch.values![i]![t]!));
    if (!whiten || !isScored) return { shaped: batch.rewards, tokens, returns };
    const white = whitenTokens(tokens, masks, { variance, divide: divide_by_std });
    return { shaped: batch.rewards, tokens: white, returns };
  },
});

function rowAdvantages(
  rewards: readonly number[],
  values: ArrayLike<number>,
  mask: ArrayLike<number>,
  gamma: number,
  decay: number,
): number[] {
  const advantages = rewards.map(() => 0);
  let nextValue = 0, next = 0;
  for (let t = rewards.length - 1; t >= 0; t--) {
    if (mask[t]) {
      next = rewards[t]! + gamma * nextValue - values[t]! + decay * next;
      nextValue = values[t]!;
    }
    advantages[t] = next;
  }
  return advantages;
}
