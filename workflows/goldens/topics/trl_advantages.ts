/** TRL's advantages of GRPO and RLOO against those of `compute_advantages`. @module */
import { moments, NO_SPREAD, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import type { AdvantageBatch } from "../../../steps/advantages/advantage.ts";
import { estimate } from "../../../steps/advantages/estimate.ts";
import { type AdvantagePresetName, advantageSettings } from "../../../steps/advantages/presets.ts";
import { tokenKl } from "../../../steps/advantages/token_kl.ts";
import { ownOptions } from "../../../steps/options/own_options.ts";
import { weightedSum } from "../../../steps/rewards/weighted_sum.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly num_generations: number;
  readonly scale_rewards?: "group" | "batch" | "none";
  readonly multi_objective_aggregation?: string;
  readonly reward_weights?: readonly number[] | null;
  readonly beta?: number;
  readonly normalize_advantages?: boolean;
  readonly reward_clip_range?: readonly [number, number] | null;
}
interface Inputs {
  readonly rewards?: readonly (number | null | readonly (number | null)[])[];
  readonly reward_names?: readonly string[];
  readonly old_logprobs?: Matrix;
  readonly ref_logprobs?: Matrix;
  readonly completion_mask?: Matrix;
}

/** Estimates under a preset's name, with options over it. */
export function underPreset(
  preset: AdvantagePresetName,
  options: Readonly<Record<string, unknown>>,
  batch: AdvantageBatch,
) {
  const { entry, settings } = advantageSettings({ preset, ...options });
  return estimate(entry, entry.params.parse(ownOptions(entry, settings)), batch);
}

/** What TRL makes of a number before it reaches the loss: our step refuses these. */
const toNumber = (value: number) =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);

/** A NaN of a reward function is a missing value to TRL. */
const present = (value: number | null) => value === null || Number.isNaN(value) ? null : value;

/** Rewards by function, one list each. */
function componentsOf({ rewards = [], reward_names }: Inputs): Record<string, (number | null)[]> {
  const rows = rewards.map((row) => Array.isArray(row) ? row as (number | null)[] : [row as number | null]);
  const names = reward_names ?? rows[0]!.map((_, k) => k === 0 ? "reward" : `reward${k}`);
  return Object.fromEntries(names.map((name, k) => [name, rows.map((row) => present(row[k]!))]));
}

/** The advantages, and the sum whose spread decides what counts as without spread. */
function grpoAdvantages(params: Params, batch: AdvantageBatch, weights: Readonly<Record<string, number>>) {
  const scale = params.scale_rewards ?? "group";
  if (params.multi_objective_aggregation !== "normalize_then_sum") {
    const { advantage } = underPreset("trl/grpo", { scale }, batch);
    const whole = scale === "batch" ? batch.rewards : null;
    return { advantage, zero: whole ? flat(whole) : zeroSpread(batch.rewards, batch.groups, params.num_generations) };
  }
  const given = { reward_weights: weights };
  const sums = underPreset("trl/gdpo", { ...given, finish: "none" }, batch).advantage;
  const scored = sums.map((sum, row) => batch.rewards[row] === null ? null : sum);
  return { advantage: underPreset("trl/gdpo", given, batch).advantage, zero: flat(scored) };
}

/** 1 where a whole batch has no spread, as one of one completion, else 0; one scored of several counts as spread. */
function flat(values: readonly (number | null)[]): number {
  const { count, spread } = moments(values);
  return values.length === 1 ? 1 : count >= 2 && spread <= NO_SPREAD.rewards ? 1 : 0;
}

/** The advantages, and the share of groups without spread: of the rewards as the estimator gets them. */
function rlooAdvantages(params: Params, inputs: Inputs, batch: AdvantageBatch) {
  const { reward_clip_range: clip, beta = 0, normalize_advantages: normalize = false } = params;
  const kl = beta ? klOf(inputs) : [];
  const rewards = batch.rewards.map((reward, row) => {
    if (reward === null) return null;
    const clipped = clip ? Math.min(Math.max(reward, clip[0]), clip[1]) : reward;
    return beta ? clipped - beta * total(kl[row]!) : clipped;
  });
  const { advantage } = underPreset("trl/rloo", { normalize }, { ...batch, rewards });
  return { advantage, zero: zeroSpread(rewards, batch.groups, params.num_generations) };
}

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** KL of each token that counts. */
const klOf = ({ old_logprobs: old, ref_logprobs: ref, completion_mask: masks }: Inputs) =>
  masks!.map((mask, row) => tokenKl({ estimator: "k1" }, old![row]!, ref![row]!, mask));

/** RLOO's metric of the KL, a mean over all tokens; none without a coefficient. */
function klMetric({ beta }: Params, inputs: Inputs): Record<string, number> {
  return beta ? { kl: total(klOf(inputs).map(total)) / Math.max(total(inputs.completion_mask!.map(total)), 1) } : {};
}

/** Mean and deviation as TRL's nanmean and nanstd: a deviation beside an infinite value is infinite. */
function statistics(values: readonly (number | null)[]) {
  const { mean, std } = moments(values);
  return { mean, std: Number.isNaN(std) && values.some((value) => Math.abs(value ?? 0) === Infinity) ? Infinity : std };
}

/** Groups without spread; one of one has none in TRL, though it has no deviation either. */
const zeroSpread = (rewards: readonly (number | null)[], groups: readonly number[], size: number) =>
  size === 1 ? 1 : zeroSpreadFraction(rewards, groups) ?? 0;

const isAdvantages = ({ inputs, outputs }: { readonly inputs: unknown; readonly outputs: unknown }) =>
  Object.hasOwn(inputs as object, "rewards") && Object.hasOwn(outputs as object, "metrics");

export const trlAdvantages = defineTopic<Params, Inputs>({
  about: "TRL 1.16 grpo_trainer.py, rloo_trainer.py: rewards of a batch to advantages (steps/advantages)",
  takes: {
    trl_advantages: () => true,
    trl_rloo: ({ name }) => name.startsWith("advantages/"),
    edge: (golden) => /^trl\/(?:grpo|rloo)\//.test(golden.name) && isAdvantages(golden),
  },
  evaluate({ params, inputs }) {
    const components = componentsOf(inputs), names = Object.keys(components);
    const weights = Object.fromEntries(names.map((name, k) => [name, params.reward_weights?.[k] ?? 1]));
    const count = components[names[0]!]!.length;
    const rewards = Array.from(
      { length: count },
      (_, row) => weightedSum(names.map((name) => components[name]![row]!), Object.values(weights)),
    );
    const groups = rewards.map((_, row) => Math.floor(row / params.num_generations));
    const batch = { rewards, groups, lengths: rewards.map(() => 1), components };
    const isRloo = params.normalize_advantages !== undefined || inputs.old_logprobs !== undefined;
    const { advantage, zero } = isRloo ? rlooAdvantages(params, inputs, batch) : grpoAdvantages(params, batch, weights);
    const { mean, std } = statistics(rewards);
    const each = names.flatMap((name) => {
      const { mean, std } = statistics(components[name]!);
      return [[`rewards/${name}/mean`, mean], [`rewards/${name}/std`, std]] as const;
    });
    return {
      advantages: advantage.map(toNumber),
      metrics: {
        ...Object.fromEntries(each),
        ...klMetric(params, inputs),
        reward: mean,
        reward_std: std,
        frac_reward_zero_std: zero,
      },
    };
  },
});
