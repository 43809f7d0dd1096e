/** OpenRLHF's rewards and advantages against those of `compute_advantages`. @module */
import { groupMoments, whitenTokens } from "../../../data/statistics/mod.ts";
import type { AdvantageBatch } from "../../../steps/advantages/advantage.ts";
import { ADVANTAGE_PRESETS, type AdvantagePresetName, advantageSettings } from "../../../steps/advantages/presets.ts";
import { truncationPenalty } from "../../../steps/advantages/batch.ts";
import { type RewardKl, tokenKl } from "../../../steps/advantages/token_kl.ts";
import { onTokens, returnsToGo } from "../../../steps/advantages/token_rewards.ts";
import { overlong } from "../../../steps/rewards/overlong.ts";
import { weightedSum } from "../../../steps/rewards/weighted_sum.ts";
import { defineTopic } from "../topic.ts";
import { underPreset } from "./trl_advantages.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly estimator?: string;
  readonly group_size?: number;
  readonly kl_coef?: number;
  readonly kl_estimator?: RewardKl;
  readonly reward_clip_range?: readonly [number, number] | null;
  readonly gamma?: number;
  readonly lambd?: number;
  readonly no_std_norm?: boolean;
  readonly overlong_buffer_len?: number | null;
  readonly overlong_penalty_factor?: number;
  readonly max_new_tokens?: number;
  readonly stop_properly_penalty_coef?: number | null;
  readonly dim?: number | null;
  readonly eps?: number;
}
interface Inputs {
  readonly rewards: readonly number[];
  readonly old_logprobs: Matrix;
  readonly ref_logprobs: Matrix;
  readonly completion_mask: Matrix;
  readonly index?: readonly number[];
  readonly truncated?: readonly (number | boolean)[];
  readonly values?: Matrix;
  readonly token_rewards: Matrix;
}

const total = (row: readonly number[]) => row.reduce((a, b) => a + b, 0);

/** What each token pays, negative: 0 without a coefficient above 0. */
function tokenPenalties({ kl_coef = 0, kl_estimator = "k1" }: Params, inputs: Inputs, masks: Matrix): number[][] {
  const how = { estimator: kl_estimator, bound: ADVANTAGE_PRESETS["openrlhf/reinforce"].kl_bound };
  return masks.map((mask, row) =>
    tokenKl(how, inputs.old_logprobs[row]!, inputs.ref_logprobs[row]!, mask).map((kl) => -Math.max(kl_coef, 0) * kl)
  );
}

/** Rewards after the penalties of length, by the reward `overlong` and the options of truncated completions. */
function penalizedRewards(params: Params, { rewards, completion_mask: masks, truncated }: Inputs): number[] {
  const { overlong_buffer_len: buffer, overlong_penalty_factor: factor = 1, max_new_tokens } = params;
  const lengths = masks.map(total), stop = params.stop_properly_penalty_coef;
  const over = buffer
    ? overlong.score({ buffer, max_new_tokens: max_new_tokens! }, { completion_tokens: lengths } as never)
    : rewards.map(() => 0);
  const how = stop === undefined || stop === null
    ? {}
    : stop >= 0
    ? { truncated_scale: stop }
    : { truncated_reward: stop };
  return rewards.map((reward, row) => {
    const sum = weightedSum([reward, over[row]!], [1, factor])!;
    return truncated?.[row] ? truncationPenalty(sum, how) : sum;
  });
}

/** The options of ours; gamma counts for estimators of returns only (the others force it to 1). */
function optionsOf({ gamma, lambd: lambda, no_std_norm, estimator }: Params): Record<string, unknown> {
  const set = {
    gamma: estimator === "reinforce" || estimator === "gae" ? gamma : undefined,
    lambda,
    divide_by_std: no_std_norm ? false : undefined,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

export const openrlhfAdvantages = defineTopic<Params, Inputs>({
  about: "OpenRLHF experience_maker.py compute_advantages_and_returns (steps/advantages)",
  takes: {
    openrlhf: ({ name }) => name.startsWith("advantages/"),
    edge: ({ name, inputs }) => name.startsWith("openrlhf/") && Object.hasOwn(inputs as object, "rewards"),
  },
  evaluate({ params, inputs }) {
    const preset = `openrlhf/${params.estimator}` as AdvantagePresetName, size = params.group_size ?? 1;
    const { settings } = advantageSettings({ preset }), rewards = penalizedRewards(params, inputs);
    const groups = rewards.map((_, row) => Math.floor(row / size)), masks = inputs.completion_mask;
    const { reward_clip_range: clip } = params; // null: none
    const batch: AdvantageBatch = {
      rewards,
      groups,
      lengths: masks.map(total),
      masks,
      // Its metric `return` adds up what padding pays, too; no return of a token does.
      tokenRewards: tokenPenalties(params, inputs, masks.map((mask) => mask.map(() => 1))),
      shapedClip: (clip === undefined ? settings["shaped_clip"] as [number, number] : clip) ?? undefined,
      values: inputs.values,
    };
    const { tokens, returns, totals } = underPreset(preset, optionsOf(params), batch);
    const std = groupMoments(rewards, groups).map((group) => group.std);
    return {
      advantages: tokens,
      returns,
      return: totals,
      penalized_rewards: rewards,
      group_reward_std: groups.map((group) => std[group]!),
    };
  },
  counted: ({ inputs: { completion_mask } }) => ({ advantages: completion_mask, returns: completion_mask }),
});

export const openrlhfTokenRewards = defineTopic<Params, Inputs>({
  about:
    "OpenRLHF models/utils.py compute_reward: reward on the last token, KL on each (steps/advantages/token_rewards.ts)",
  takes: { openrlhf: ({ name }) => name.startsWith("token_rewards/") },
  evaluate({ params, inputs }) {
    const { rewards, completion_mask: masks } = inputs, shapedClip = params.reward_clip_range ?? undefined;
    const batch = {
      rewards,
      groups: rewards.map(() => 0),
      lengths: masks.map(total),
      tokenRewards: tokenPenalties(params, inputs, masks),
      shapedClip,
    };
    return { token_rewards: onTokens(rewards, batch, masks) };
  },
});

export const openrlhfReturns = defineTopic<Params, Inputs>({
  about: "OpenRLHF experience_maker.py get_cumulative_returns (steps/advantages/token_rewards.ts)",
  takes: { openrlhf: ({ name }) => name.startsWith("cumulative_returns/") },
  evaluate: ({ params, inputs: { token_rewards, completion_mask } }) => ({
    returns: returnsToGo(token_rewards, completion_mask, params.gamma ?? 1),
  }),
  counted: ({ inputs: { completion_mask } }) => ({ returns: completion_mask }),
});

export const openrlhfNormalize = defineTopic<Params, { readonly values: Matrix; readonly completion_mask: Matrix }>({
  about: "OpenRLHF models/utils.py masked_normalize (data/statistics/token_whitening.ts)",
  takes: { openrlhf: ({ name }) => name.startsWith("masked_normalize/") },
  evaluate({ params: { dim = null, eps = 1e-8 }, inputs: { values, completion_mask: masks } }) {
    const turned = dim === 0, [rows, counts] = turned ? [transposed(values), transposed(masks)] : [values, masks];
    const parts = dim === null
      ? normalized(rows, counts, eps)
      : rows.flatMap((row, i) => normalized([row], [counts[i]!], eps));
    return { normalized: turned ? transposed(parts) : parts };
  },
});

const transposed = (rows: Matrix): number[][] => rows[0]!.map((_, t) => rows.map((row) => row[t]!));

/** Rows together; all zeros where none of their tokens counts. */
function normalized(rows: Matrix, masks: Matrix, eps: number): number[][] {
  if (total(masks.map(total)) === 0) return rows.map((row) => row.map(() => 0));
  const white = whitenTokens(rows, masks, { variance: "biased", eps });
  return white.map((row, i) => row.map((value, t) => value * masks[i]![t]!));
}
