/** The advantage of ReMax: how much better than the greedy completion. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { countedMasks, masked, onTokens, returnsToGo } from "./token_rewards.ts";

/**
 * What is to come after each token minus the reward of the greedy completion of the prompt
 * (ReMax, arXiv 2310.10505; verl core_algos.py compute_remax_outcome_advantage).
 */
export const remax = defineAdvantage({
  about: "Return minus the reward of the greedy completion of the same prompt",
  method: {
    formula: "A_t = sum_{u>=t} r_u - r(greedy completion)",
    source: "ReMax, arXiv 2310.10505; verl core_algos.py compute_remax_outcome_advantage",
    names: { verl: "algorithm.adv_estimator=remax (default gae)" },
  },
  params: z.strictObject({}),
  minGroupSize: () => 1,
  perToken: true,
  needs: ["baselines"],
  advantages(_, batch) {
    // A completion whose greedy one was not scored has nothing to be compared with.
    const baselines = batch.baselines!, rewards = batch.rewards.map((r, row) => baselines[row] === null ? null : r);
    const masks = countedMasks({ ...batch, rewards });
    const returns = returnsToGo(onTokens(rewards, batch, masks), masks, 1);
    const better = returns.map((row, i) => row.map((value) => value - (baselines[i] ?? 0)));
    return { shaped: rewards, tokens: masked(better, masks), returns };
  },
});
