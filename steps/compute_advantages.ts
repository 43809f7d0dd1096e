/** The step `compute_advantages`: from rewards to what multiplies the log-ratio. @module */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { groupNumbers, moments, zeroSpreadFraction } from "../data/statistics/mod.ts";
import { columnArray, tableOf } from "../data/tables/mod.ts";
import { groupTraits } from "./advantages/advantage.ts";
import { type Advantage, type AdvantageName, ADVANTAGES } from "./advantages/mod.ts";
import { mergedOptions, ownOptions, strangeOptions } from "./options/own_options.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { defineStep } from "./step.ts";

const OPTIONS = mergedOptions(ADVANTAGES);

const params = z.strictObject({
  estimator: z.enum(Object.keys(ADVANTAGES) as [AdvantageName, ...AdvantageName[]]).default("grpo").describe(
    "how rewards become advantages",
  ),
  ...OPTIONS,
  reward_clip: z.tuple([z.number(), z.number()]).optional().describe("clip rewards to [low, high] first"),
  kl_coef: z.number().min(0).default(0).describe(
    "subtract this times the summed k1 (old_logprobs - ref_logprobs, nats per completion) from the reward",
  ),
  group_size: z.int().min(1).optional().describe(
    "completions per prompt that the batch must have; without it any equal size is accepted",
  ),
});

const WITH_KL = { param: "kl_coef", when: ({ kl_coef }: { readonly kl_coef: number }) => kl_coef > 0 } as const;

/** Whitening, means and clipping only see scored completions: a null reward enters nothing and gets advantage 0. */
export const computeAdvantages = defineStep({
  about: "Turn the rewards of each group into advantages",
  params,
  reads: {
    completions: [
      "prompt_id",
      "sample",
      "completion_tokens",
      "reward",
      { column: "old_logprobs", ...WITH_KL },
      { column: "ref_logprobs", ...WITH_KL },
      { column: "completion_mask", ...WITH_KL },
    ],
  },
  writes: { completions: ["advantage"], settings: SETTING_COLUMNS },
  pure: true,
  timedAs: "score",
  outputs: z.object({
    zero_spread_fraction: z.number().nullable().describe("fraction of groups of two rewards or more, all equal"),
    advantage_mean: z.number().describe("mean advantage over the completions"),
    advantage_std: z.number().describe("standard deviation of the advantage over the completions"),
    unscored: z.int().describe("completions without a reward, whose advantage is 0"),
  }),
  check(given) {
    const entry: Advantage = ADVANTAGES[given.estimator];
    const problems = strangeOptions(`estimator "${given.estimator}"`, entry, OPTIONS, given);
    const own = entry.params.safeParse(ownOptions(entry, given));
    if (!own.success) {
      return [...problems, ...own.error.issues.map(({ path, message }) => `"${path.join(".")}": ${message}`)];
    }
    const least = entry.minGroupSize(own.data);
    if (given.group_size !== undefined && given.group_size < least) {
      problems.push(tooSmall(given.estimator, given.group_size, least));
    }
    if (given.reward_clip && given.reward_clip[0] >= given.reward_clip[1]) {
      problems.push(`Cannot clip rewards to [${given.reward_clip}]: the lower bound is not below the upper`);
    }
    return problems;
  },
  run(given, context) {
    const completions = context.table("completions");
    const entry: Advantage = ADVANTAGES[given.estimator];
    const own = entry.params.parse(ownOptions(entry, given));
    const groups = checkedGroups(completions, given.estimator, entry.minGroupSize(own), given.group_size);
    const rewards = shapedRewards(completions, given);
    const lengths = Array.from(column<number>(completions, "completion_tokens"));
    const advantage = entry.advantages(own, { rewards, groups, lengths }).map(Math.fround);
    const { mean, std } = moments(advantage);
    // Not a part of the result: a cached one would bring back settings that other steps have changed since.
    const traits = groupTraits(entry, own);
    writeSettings(context, { algorithm: given.estimator, kl_in_reward: given.kl_coef > 0, ...traits });
    return {
      tables: { completions: completions.assign(tableOf("completions", { advantage })) },
      outputs: {
        zero_spread_fraction: zeroSpreadFraction(Array.from(column<number | null>(completions, "reward")), groups),
        advantage_mean: mean,
        advantage_std: std,
        unscored: rewards.filter((reward) => reward === null).length,
      },
    };
  },
});

function tooSmall(estimator: string, size: number, least: number): string {
  return `Cannot compute "${estimator}" advantages: the group size is ${size}, want at least ${least}; ` +
    `raise group_size of sample_groups or use reinforce_plus_plus without baseline`;
}

/** The groups of the batch; refuses unequal or too small ones. */
function checkedGroups(completions: ColumnTable, estimator: string, least: number, want?: number): number[] {
  if (completions.numRows() === 0) throw new RangeError(`Cannot compute advantages: table "completions" has no rows`);
  const groups = groupNumbers(completions);
  const prompts = column<number>(completions, "prompt_id");
  const sizes = new Map<number, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const size = want ?? sizes.get(0)!;
  groups.forEach((group, row) => {
    if (sizes.get(group) === size) return;
    throw new RangeError(
      `Cannot split ${groups.length} completions into groups of ${size}: prompt ${prompts[row]} has ${
        sizes.get(group)
      }; ` +
        `sample each prompt group_size times`,
    );
  });
  if (size < least) throw new RangeError(tooSmall(estimator, size, least));
  return groups;
}

function column<Value>(completions: ColumnTable, name: string): ArrayLike<Value> {
  if (completions.column(name)) return columnArray(completions, name) as ArrayLike<Value>;
  throw new RangeError(
    `Cannot compute advantages: table "completions" has no column "${name}"; ` +
      (name === "reward" ? "run score_rewards before" : "kl_coef needs a step before that writes it"),
  );
}

/** Rewards clipped, then minus kl_coef times the summed k1 (TRL rloo_trainer.py). */
function shapedRewards(completions: ColumnTable, given: z.output<typeof params>): (number | null)[] {
  const [low, high] = given.reward_clip ?? [-Infinity, Infinity];
  const rewards = Array.from(column<number | null>(completions, "reward"), (reward, row) => {
    if (reward === null || reward === undefined) return null;
    if (Number.isFinite(reward)) return Math.min(Math.max(reward, low), high);
    throw new RangeError(
      `Cannot compute advantages: the reward of completion ${row} is ${reward}, want a finite number`,
    );
  });
  if (given.kl_coef === 0) return rewards;
  const klOf = klToReference(completions);
  return rewards.map((reward, row) => reward === null ? null : reward - given.kl_coef * klOf(row));
}

/** The summed k1 of a completion, nats. */
function klToReference(completions: ColumnTable): (row: number) => number {
  const lists = (name: string) => column<ArrayLike<number>>(completions, name);
  const old = lists("old_logprobs"), ref = lists("ref_logprobs"), mask = lists("completion_mask");
  return (row) => {
    let kl = 0;
    for (let t = 0; t < mask[row]!.length; t++) {
      if (!mask[row]![t]) continue;
      const reference = ref[row]![t]!;
      // The policy's own log-probs are the doctor's to judge: it names what made them so.
      if (!Number.isFinite(reference)) {
        throw new RangeError(
          `Cannot compute advantages: the reference's log-prob of completion ${row} is ${reference} at token ${t}, ` +
            `want a finite number; look at the weights of the reference model`,
        );
      }
      kl += old[row]![t]! - reference;
    }
    return kl;
  };
}
