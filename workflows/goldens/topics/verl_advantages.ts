/** verl's advantages against those of `compute_advantages`. @module */
import type { AdvantageBatch } from "../../../steps/advantages/advantage.ts";
import type { AdvantagePresetName } from "../../../steps/advantages/presets.ts";
import { whitenTokens } from "../../../data/statistics/mod.ts";
import { defineTopic } from "../topic.ts";
import { underPreset } from "./trl_advantages.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly estimator?: string;
  readonly norm_adv_by_std_in_grpo?: boolean;
  readonly epsilon?: number;
  readonly gamma?: number;
  readonly lam?: number;
  readonly f_norm?: number;
  readonly handle_zero_tail?: boolean;
  readonly gdpo_reward_weights?: readonly number[] | null;
  readonly gdpo_reward_keys?: readonly string[];
  readonly shift_mean?: boolean;
}
interface Inputs {
  readonly token_rewards: Matrix;
  readonly completion_mask: Matrix;
  readonly group_ids: readonly (string | number)[];
  readonly reward_baselines?: readonly number[];
  readonly reward_components?: Readonly<Record<string, readonly number[]>>;
  readonly old_logprobs?: Matrix;
  readonly sum_pi_squared?: Matrix;
  readonly rollout_is_weights?: Matrix;
  readonly values?: Matrix;
}

const total = (row: readonly number[]) => row.reduce((a, b) => a + b, 0);

/** Estimators of what each token earns: the others compare whole completions. */
const OF_TOKENS = ["reinforce_plus_plus", "remax", "optimal_token_baseline", "tir_optimal_token_baseline", "gae"];

/** verl's option of each of ours, where the case sets it. */
function optionsOf(params: Params): Record<string, unknown> {
  const { norm_adv_by_std_in_grpo: byStd, epsilon: eps, gamma, lam: lambda, f_norm } = params;
  const estimator = params.estimator ?? "gae", isGrpo = /^grpo(?:_vectorized)?$/.test(estimator);
  const keys = params.gdpo_reward_keys ?? [], weights = params.gdpo_reward_weights;
  const set = {
    ...(byStd === undefined ? {} : isGrpo ? { scale: byStd ? "group" : "none" } : { divide_by_std: byStd }),
    ...(weights ? { reward_weights: Object.fromEntries(keys.map((key, k) => [key, weights[k]])) } : {}),
    eps,
    gamma,
    lambda,
    f_norm,
    zero_tail: params.handle_zero_tail,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

function batchOf(estimator: string, inputs: Inputs): AdvantageBatch {
  const { token_rewards, completion_mask: masks } = inputs, ofTokens = OF_TOKENS.includes(estimator);
  const ids = inputs.group_ids ?? masks.map(() => 0), known = [...new Set(ids)];
  return {
    masks,
    lengths: masks.map(total),
    groups: ids.map((id) => known.indexOf(id)),
    rewards: ofTokens ? masks.map(() => 0) : token_rewards.map(total),
    tokenRewards: ofTokens ? token_rewards : undefined,
    values: inputs.values,
    baselines: inputs.reward_baselines,
    components: inputs.reward_components ?? {},
    logprobs: inputs.old_logprobs,
    logSumSquares: inputs.sum_pi_squared?.map((row) => row.map(Math.log)),
    samplerWeights: inputs.rollout_is_weights,
  };
}

export const verlAdvantages = defineTopic<Params, Inputs>({
  about: "verl core_algos.py compute_*_advantage: token rewards to advantages and returns (steps/advantages)",
  takes: {
    verl_advantages: () => true,
    verl_value_loss_gae: ({ name }) => name.startsWith("gae/"),
    edge: ({ name }) => name.startsWith("verl/advantages/"),
  },
  evaluate({ params, inputs }) {
    const estimator = params.estimator ?? "gae", batch = batchOf(estimator, inputs);
    const found = underPreset(`verl/${estimator}` as AdvantagePresetName, optionsOf(params), batch);
    const ours = found.tokens ??
      batch.masks!.map((mask, row) => Array.from(mask, (m) => found.advantage[row]! * m));
    // verl's ReMax leaves the return on a token that does not count.
    const advantages = estimator === "remax"
      ? ours.map((row, b) => Array.from(row, (value, t) => batch.masks![b]![t] ? value : found.returns![b]![t]!))
      : ours;
    // Whole completions have no return of their own in verl: it gives the advantages again.
    return { advantages, returns: OF_TOKENS.includes(estimator) ? found.returns : advantages };
  },
});

export const verlWhitening = defineTopic<Params, { readonly values: Matrix; readonly completion_mask: Matrix }>({
  about: "verl torch_functional.py masked_whiten (data/statistics/token_whitening.ts)",
  takes: {
    verl_value_loss_gae: ({ name }) => name.startsWith("masked_whiten/"),
    edge: ({ name }) => name.startsWith("verl/whiten_"),
  },
  evaluate: ({ params, inputs: { values, completion_mask } }) => ({
    whitened: whitenTokens(values, completion_mask, { variance: "unbiased", keepMean: params.shift_mean === false }),
  }),
});
