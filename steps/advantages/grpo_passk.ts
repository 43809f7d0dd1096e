/** The advantage of Pass@k training: only the best of a group learns, from its lead. @module */
import { z } from "zod";
import { groupMoments } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { defineAdvantage } from "./advantage.ts";
import { grpo } from "./grpo.ts";

const params = z.strictObject({
  divide_by_std: z.boolean().default(true).describe(
    "grpo_passk, gdpo: divide by the group's standard deviation plus eps",
  ),
  eps: grpo.params.shape.eps,
});

/**
 * (best reward - second best) / (std of the group + eps) for the best completion of each group, 0 for all others; of
 * equal ones the first is the best. Throws RangeError for a group of one (Pass@k, arXiv 2503.19595; verl core_algos.py compute_grpo_passk_outcome_advantage).
 */
export const grpoPassk = defineAdvantage({
  about: "Lead of the group's best completion over its second best; 0 for the others",
  method: {
    formula: "A = (max_g(r) - second max_g(r)) / (std_g(r) + eps) for the best of the group, else 0",
    source: "Pass@k, arXiv 2503.19595; verl core_algos.py compute_grpo_passk_outcome_advantage",
    names: { verl: "algorithm.adv_estimator=grpo_passk (eps 1e-6; default gae)" },
  },
  params,
  problems: ({ divide_by_std }, said) =>
    divide_by_std ? [] : withoutEffect(said, params.shape, ["eps"], "divide_by_std is false, want true"),
  minGroupSize: () => 2,
  sumsToZero: () => false,
  advantages({ divide_by_std, eps }, { rewards, groups }) {
    const lonely = groups.findIndex((group) => groups.filter((other) => other === group).length < 2);
    if (lonely >= 0) {
      throw new RangeError(
        `Cannot compute "grpo_passk" advantages: completion ${lonely} is alone in its group, want at least 2 in each`,
      );
    }
    const values = rewards.map(() => 0), perGroup = groupMoments(rewards, groups);
    perGroup.forEach(({ count, std, spread }, group) => {
      const rows = rewards.flatMap((reward, row) => reward !== null && groups[row] === group ? [row] : []);
      // A NaN leads, as in torch.topk.
      const [first, second] = rows.toSorted((a, b) => order(rewards[b]!, rewards[a]!));
      if (count < 2 || spread === 0) return;
      values[first!] = (rewards[first!]! - rewards[second!]!) / (divide_by_std ? std + eps : 1);
    });
    return values;
  },
});

const order = (b: number, a: number) =>
  Number.isNaN(b) || Number.isNaN(a) ? +Number.isNaN(b) - +Number.isNaN(a) : b > a ? 1 : b < a ? -1 : 0;
