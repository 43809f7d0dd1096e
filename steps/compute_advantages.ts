/** The step `compute_advantages`: from rewards to what multiplies the log-ratio. @module */
import { z } from "zod";
import { moments, zeroSpreadFraction } from "../data/statistics/mod.ts";
import { tableOf } from "../data/tables/mod.ts";
import { type AdvantageBatch, groupTraits } from "./advantages/advantage.ts";
import { PART_COLUMNS, readBatch, readColumn, type Shaping } from "./advantages/batch.ts";
import { checkedGroups, tooSmall } from "./advantages/groups.ts";
import { estimate, type Estimated } from "./advantages/estimate.ts";
import { type AdvantageName, ADVANTAGES } from "./advantages/mod.ts";
import { ADVANTAGE_PRESETS, type AdvantagePresetName, advantageSettings } from "./advantages/presets.ts";
import { meanTokenKl, REWARD_KL } from "./advantages/token_kl.ts";
import { countedMasks, tokenMasks } from "./advantages/token_rewards.ts";
import { metricsRow, ROW_READS } from "./metrics/metrics_row.ts";
import { KL_PARAMS, KL_TARGET_PARAMS, klTargetProblems } from "./options/kl_params.ts";
import { mergedOptions, ownOptions, strangeOptions } from "./options/own_options.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { defineStep } from "./step.ts";
import { klCoefficient, klReads } from "./training/coefficients.ts";

const OPTIONS = mergedOptions(ADVANTAGES);

const BOUNDS = z.tuple([z.number(), z.number()]);

const params = z.strictObject({
  estimator: z.enum(Object.keys(ADVANTAGES) as [AdvantageName, ...AdvantageName[]]).optional().describe(
    "how rewards become advantages; grpo without a preset",
  ),
  preset: z.enum(Object.keys(ADVANTAGE_PRESETS) as [AdvantagePresetName, ...AdvantagePresetName[]]).optional()
    .describe("estimator and options under the name of another system; what is set here wins"),
  ...OPTIONS,
  reward_clip: BOUNDS.optional().describe(
    "clip rewards to [low, high] before they are compared (TRL reward_clip_range)",
  ),
  shaped_clip: BOUNDS.optional().describe(
    "clip what was compared within the group, or the reward where nothing is, to [low, high] before its KL " +
      "(OpenRLHF reward.clip_range)",
  ),
  truncated_scale: z.number().min(0).optional().describe(
    "multiply the reward of truncated completions by this (OpenRLHF stop_properly_penalty_coef from 0)",
  ),
  truncated_reward: z.number().optional().describe(
    "give truncated completions this reward (OpenRLHF stop_properly_penalty_coef below 0)",
  ),
  ...KL_PARAMS,
  kl_estimator: z.enum(REWARD_KL).optional().describe(
    "estimator of the KL in the reward; k1 if absent",
  ),
  kl_per_token: z.boolean().optional().describe(
    "take each token's KL off that token's reward, after rewards were compared; else its sum off the completion's before",
  ),
  ...KL_TARGET_PARAMS,
  group_size: z.int().min(1).optional().describe(
    "completions per prompt that the batch must have; without it any equal size is accepted",
  ),
});

type Params = z.output<typeof params>;

const WITH_KL = { param: "kl_coef", when: ({ kl_coef }: Params) => kl_coef > 0 } as const;

/** Reads a column where the estimator needs that part of the batch: said of what names it, itself or a preset. */
const needed = (part: keyof typeof PART_COLUMNS) =>
  (["estimator", "preset"] as const).map((param) => ({
    column: PART_COLUMNS[part].column,
    param,
    when: (given: Params) =>
      (param === "estimator") === (given.preset === undefined) &&
      (advantageSettings(given).entry.needs?.includes(part) ?? false),
  }));

/** Writes one number per token where tokens of a completion differ. */
const PER_TOKEN = {
  only: "with an estimator of tokens, such as gae or reinforce_plus_plus, or with kl_per_token",
  when: (given: Params) => {
    const { entry, settings } = advantageSettings(given);
    return entry.perToken === true || (given.kl_coef > 0 && settings["kl_per_token"] === true);
  },
} as const;

/** What it adds to the row of `metrics`. */
const KL_METRICS = ["train_step", "phase", "step_id", "reward_kl_coef", "reward_kl", "completions"] as const;

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
      { column: "completion_mask", optional: true },
      {
        column: "truncated",
        param: "truncated_scale",
        when: ({ truncated_scale, truncated_reward }) => (truncated_scale ?? truncated_reward) !== undefined,
      },
      ...needed("values"),
      ...needed("baselines"),
      ...needed("logSumSquares"),
      ...needed("logprobs"),
      ...needed("samplerLogprobs"),
    ],
    metrics: [...ROW_READS, ...klReads("reward_kl_coef")],
  },
  writes: {
    completions: ["advantage", { column: "advantages", ...PER_TOKEN }, { column: "returns", ...PER_TOKEN }],
    metrics: KL_METRICS.map((column) => ({
      column,
      only: "with kl_coef",
      when: ({ kl_coef }: Params) => kl_coef > 0,
    })),
    settings: SETTING_COLUMNS,
  },
  timedAs: "score",
  outputs: z.object({
    zero_spread_fraction: z.number().nullable().describe("fraction of groups of two rewards or more, all equal"),
    advantage_mean: z.number().describe("mean advantage over the completions"),
    advantage_std: z.number().nullable().describe(
      "standard deviation of the advantage over the completions; null of one completion",
    ),
    unscored: z.int().describe("completions without a reward, whose advantage is 0"),
    return_mean: z.number().nullable().describe(
      "mean over the scored completions of what their tokens earn together, compared with their group's and less their KL",
    ),
    kl_coef: z.number().describe("weight of the KL in this train step's reward, as kl_target has moved it"),
    kl: z.number().nullable().describe(
      "mean over the completions of their mean KL per token, where kl_coef takes it off",
    ),
  }),
  check(given) {
    const { estimator, entry, settings } = advantageSettings(given);
    const problems = [...strangeOptions(`estimator "${estimator}"`, entry, OPTIONS, given), ...presetProblems(given)];
    const own = entry.params.safeParse(ownOptions(entry, settings));
    if (!own.success) {
      const wrong = own.error.issues.map(({ path, message }) =>
        `Cannot use estimator "${estimator}": its option "${path.join(".")}" is wrong (${message}), want another value`
      );
      return [...problems, ...wrong];
    }
    problems.push(...entry.problems?.(own.data, entry.params.parse(ownOptions(entry, given))) ?? []);
    const least = entry.minGroupSize(own.data);
    if (given.group_size !== undefined && given.group_size < least) {
      problems.push(tooSmall(estimator, given.group_size, least));
    }
    return [...problems, ...shapingProblems(given)];
  },
  run(given, context) {
    const completions = context.table("completions");
    const { estimator, entry, settings } = advantageSettings(given);
    const own = entry.params.parse(ownOptions(entry, settings));
    const coefficient = klCoefficient(given, context, "reward_kl_coef"), shaping = shapingOf(coefficient, settings);
    const groups = checkedGroups(completions, estimator, entry.minGroupSize(own), given.group_size);
    const { batch, kl } = readBatch(completions, groups, entry, shaping);
    const found = estimate(entry, own, batch);
    refuseNonFinite(found, batch, estimator);
    const advantage = found.advantage.map((value, row) =>
      batch.lengths[row] === 0 && !Number.isFinite(value) ? 0 : Math.fround(value)
    );
    const { mean, std } = moments(advantage);
    const traits = groupTraits(entry, own, reshaped(given, batch));
    const nats = kl && meanTokenKl(kl, batch.lengths);
    writeSettings(context, { algorithm: estimator, kl_in_reward: given.kl_coef > 0, ...traits });
    return {
      tables: {
        completions: completions.assign(tableOf("completions", { advantage, ...tokenColumns(found, batch) ?? {} })),
        ...(kl && {
          metrics: metricsRow(context, { reward_kl_coef: coefficient, reward_kl: nats, completions: kl.length }),
        }),
      },
      outputs: {
        zero_spread_fraction: zeroSpreadFraction(readColumn<number | null>(completions, "reward"), groups),
        advantage_mean: mean,
        advantage_std: Number.isFinite(std) ? std : null,
        unscored: batch.rewards.filter((reward) => reward === null).length,
        return_mean: meanScored(found.totals, batch.rewards),
        kl_coef: coefficient,
        kl: Number.isFinite(nats) ? nats : null,
      },
    };
  },
});

function meanScored(totals: readonly number[], rewards: readonly (number | null)[]): number | null {
  const { count, mean } = moments(totals.filter((_, row) => rewards[row] !== null));
  return count > 0 && Number.isFinite(mean) ? mean : null;
}

function shapingOf(kl_coef: number, settings: Readonly<Record<string, unknown>>): Shaping {
  return { kl_estimator: "k1", kl_per_token: false, ...settings, kl_coef } as Shaping;
}

/** Penalties and KL move rewards past each other; a clip or a KL per token comes after their mean was taken. */
function reshaped(given: Params, { tokenRewards, shapedClip }: AdvantageBatch) {
  const punished = given.truncated_scale !== undefined || given.truncated_reward !== undefined;
  return { before: punished || given.kl_coef > 0, after: tokenRewards !== undefined || shapedClip !== undefined };
}

/** What contradicts a preset. */
function presetProblems({ preset, estimator }: Params): string[] {
  const theirs = preset === undefined ? undefined : ADVANTAGE_PRESETS[preset].estimator;
  return theirs === undefined || estimator === undefined || estimator === theirs ? [] : [
    `Cannot use preset "${preset}" with estimator "${estimator}": it is of "${theirs}"; leave one of them out`,
  ];
}

function shapingProblems(given: Params): string[] {
  const problems: string[] = [];
  for (const name of ["reward_clip", "shaped_clip"] as const) {
    const bounds = given[name];
    if (bounds && bounds[0] >= bounds[1]) {
      problems.push(`Cannot clip rewards to [${bounds}]: the lower bound is not below the upper`);
    }
  }
  if (given.truncated_scale !== undefined && given.truncated_reward !== undefined) {
    problems.push(
      'Cannot set "truncated_scale" and "truncated_reward": each decides the same reward; leave one of them out',
    );
  }
  if (given.kl_coef === 0) {
    const idle = ["kl_estimator", "kl_per_token", "kl_difference_bound", "kl_bound"] as const;
    problems.push(...withoutEffect(given as Required<Params>, params.shape, idle, "kl_coef is 0, want it above 0"));
  }
  return [...problems, ...klTargetProblems(given)];
}

/** A formula that has no value for a batch is a refusal, never a zero; what no token carries is not looked at. */
function refuseNonFinite({ advantage, tokens }: Estimated, { lengths }: AdvantageBatch, estimator: string): void {
  const row = advantage.findIndex((value, i) =>
    lengths[i]! > 0 && !(Number.isFinite(value) && (tokens === null || tokens[i]!.every(Number.isFinite)))
  );
  if (row < 0) return;
  throw new RangeError(
    `Cannot compute "${estimator}" advantages: that of completion ${row} is ${advantage[row]}, want a finite number; ` +
      "look at its group's rewards, lengths and log-probs",
  );
}

/** Advantages and returns per token, 0 where a token does not count; one without a reward moves the policy by no token. */
function tokenColumns({ tokens, returns }: Estimated, batch: AdvantageBatch) {
  if (tokens === null || returns === null) return null;
  const counted = (rows: readonly number[][], masks: readonly ArrayLike<number>[]) =>
    rows.map((row, i) => Float32Array.from(row, (value, t) => masks[i]![t] ? value : 0));
  return { advantages: counted(tokens, countedMasks(batch)), returns: counted(returns, tokenMasks(batch)) };
}
