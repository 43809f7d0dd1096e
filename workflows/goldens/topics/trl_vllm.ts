/** TRL's correction for its inference engine and its mask of truncated completions, from rewards to the loss. @module */
import { moments, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import { logRatios } from "../../../steps/corrections/log_ratios.ts";
import { samplerWeights } from "../../../steps/corrections/sampler_weights.ts";
import { samplingMetrics } from "../../../steps/corrections/sampling_metrics.ts";
import { underPreset } from "./trl_advantages.ts";
import { completionMask } from "../../../steps/sampling/completion_mask.ts";
import { type Matrix, policyLoss } from "../policy_loss.ts";
import { defineTopic } from "../topic.ts";
import { type TrlInputs, trlMetrics, trlOptions, type TrlParams, trlTotals } from "./trl_grpo_losses.ts";

type Mode = `${"token" | "sequence"}_${"truncate" | "mask"}`;
interface Params extends TrlParams {
  readonly num_generations: number;
  readonly mask_truncated_completions?: boolean;
  readonly vllm_importance_sampling_mode?: Mode;
  readonly vllm_importance_sampling_clip_min?: number | null;
  readonly vllm_importance_sampling_clip_max?: number | null;
}
interface Inputs extends TrlInputs {
  readonly completion_ids: readonly (readonly number[])[];
  readonly rewards: readonly number[];
}

/** Ids that end a completion in these cases: end of sequence and padding. */
const ENDS = [2, 0];

/** The mask [B, T] of the ids, padded to the longest. TRL looks at the last id, so that a completion needs one. */
function maskOf({ mask_truncated_completions: drops = false }: Params, ids: Inputs["completion_ids"]): Matrix {
  const width = Math.max(...ids.map(({ length }) => length));
  return ids.map((row, b) => {
    if (drops && !row.length) {
      throw new RangeError(`Cannot tell whether completion ${b} is truncated: it is empty, want a token at least`);
    }
    const mask = completionMask(row.length, { truncated: !ENDS.includes(row.at(-1) ?? 0), drops });
    return Array.from({ length: width }, (_, t) => mask[t] ?? 0);
  });
}

/** Weights of the inference engine's log-probs, [B, T] or [B, 1], and what is told of them. */
function engineOf(params: Params, { old_logprobs, sampling_logprobs }: Inputs, mask: Matrix) {
  if (!sampling_logprobs) return null;
  const [level, outside] = (params.vllm_importance_sampling_mode ?? "sequence_mask").split("_") as ["token", "mask"];
  const low = params.vllm_importance_sampling_clip_min ?? null;
  const high = params.vllm_importance_sampling_clip_max === undefined ? 3 : params.vllm_importance_sampling_clip_max;
  if (outside !== "mask" && low === null && high === null) {
    throw new RangeError("Cannot truncate weights of the engine: both bounds are null, want one at least");
  }
  const form = { level, outside, bounds: [low, high], logBound: null } as const;
  const weights = samplerWeights(logRatios(old_logprobs!, sampling_logprobs, mask), mask, form);
  const told = samplingMetrics(old_logprobs!, sampling_logprobs, mask, weights, level);
  return {
    level,
    weights: weights.map((row) => level === "token" ? Array.from(row) : [row[0]!]),
    metrics: {
      "sampling/sampling_logp_difference/mean": told.differenceMean,
      "sampling/sampling_logp_difference/max": told.differenceMax,
      "sampling/importance_sampling_ratio/min": told.ratioMin,
      "sampling/importance_sampling_ratio/mean": told.ratioMean,
      "sampling/importance_sampling_ratio/max": told.ratioMax,
    },
  };
}

function rewardMetrics(rewards: readonly number[], groups: readonly number[]) {
  const { mean, std } = moments(rewards);
  return {
    "rewards/reward/mean": mean,
    "rewards/reward/std": std,
    reward: mean,
    reward_std: std,
    frac_reward_zero_std: zeroSpreadFraction(rewards, groups),
  };
}

export const trlVllm = defineTopic<Params, Inputs>({
  about:
    "TRL 1.16 grpo_trainer.py: vLLM importance sampling, truncated completions masked, then the loss (steps/corrections)",
  takes: {
    trl_grpo_losses: ({ name }) => /^(?:vllm|mask_truncated)\//.test(name),
    edge: ({ name }) => name.startsWith("trl/grpo/empty_completion_ids/"),
  },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    const { rewards, completion_ids, logprobs } = inputs, mask = maskOf(params, completion_ids);
    const groups = rewards.map((_, row) => Math.floor(row / params.num_generations));
    const { advantage } = underPreset("trl/grpo", {}, { rewards, groups, lengths: rewards.map(() => 1) });
    const items = mask.flat().reduce((a, b) => a + b, 0);
    const shared = { advantages: advantage, completion_mask: mask, num_items_in_batch: items };
    if (!logprobs) return shared;
    const engine = engineOf(params, inputs, mask), threshold = params.off_policy_mask_threshold ?? null;
    // A token of which the engine says nothing adds nothing to the distance.
    const sampler = inputs.sampling_logprobs?.map((row, b) =>
      row.map((value, t) => Number.isNaN(value) ? logprobs[b]![t]! : value)
    );
    const result = await policyLoss({
      options: trlOptions(params),
      inputs: { ...inputs, completion_mask: mask, advantages: advantage },
      totals: trlTotals(params, items),
      shared: {
        ...(engine ? { samplerWeights: engine.level } : {}),
        ...(threshold !== null && sampler ? { offPolicy: { threshold, logprobs: "sampler_logprobs" } } : {}),
      },
      given: {
        ...(engine ? { sampler_weights: engine.weights } : {}),
        ...(sampler ? { sampler_logprobs: sampler } : {}),
      },
    }, tools);
    return {
      ...shared,
      ...result,
      ...(engine ? { importance_sampling_ratio: engine.weights } : {}),
      metrics: { ...rewardMetrics(rewards, groups), ...engine?.metrics, ...trlMetrics(result, params) },
    };
  },
});
