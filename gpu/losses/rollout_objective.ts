/** What every objective of rollouts has beside its own formula: masks, weights, the KL, the entropy, their metrics. @module */
import type { z } from "zod";
import type { DType, Value } from "../onnx/graph.ts";
import { klToReference } from "./kl.ts";
import type {
  Metric,
  ObjectiveOptions,
  PolicyTokens,
  RolloutLoss,
  RolloutObjective,
  TermWeights,
  Unit,
} from "./objective.ts";
import { type Ratio, RATIO_LEVELS, ratioOf, rowMean } from "./ratio.ts";

/** What an objective's own formula reads. */
interface RolloutTokens extends PolicyTokens, Ratio {
  /** float [B, T]. */
  readonly advantages: Value;
}

/** An objective's own part. */
interface OwnObjective<Loss extends RolloutLoss, Params extends z.ZodObject, Own extends string>
  extends ObjectiveOptions<Loss, Params> {
  /** Inputs of its own, by name. */
  inputs?(loss: Loss): Readonly<Record<string, Unit>>;
  /** Metrics of its own, by name. */
  readonly metrics: Readonly<Record<Own, (loss: Loss) => Metric | null>>;
  /** Loss per token, float [B, T] or [B, 1], and its metrics. */
  terms(loss: Loss, tokens: RolloutTokens): { readonly loss: Value; readonly metrics: Readonly<Record<string, Value>> };
  /** True where the loss of a token depends on the others': a batch cannot be cut. */
  wholeBatch?(loss: Loss): boolean;
  /** True where `terms` uses the sampler's weights itself. */
  readonly usesSamplerWeights?: true;
}

/** What a metric of ratios is a mean over. */
export function ratioUnit({ ratioLevel = "token" }: RolloutLoss): "token" | "sequence" {
  return RATIO_LEVELS[ratioLevel].perToken ? "token" : "sequence";
}

/** A bool [B, T] as a share: float [B, T] of tokens, or [B, 1], 1 where it holds of one of a completion's tokens. */
export function shareOf(bound: Value, unit: "token" | "sequence", dtype: DType): Value {
  const share = bound.cast(dtype);
  return unit === "token" ? share : share.reduceMax([1]);
}

const SHARED_METRICS = {
  ratio_mean: (loss: RolloutLoss): Metric => ({ over: ratioUnit(loss), ofNothing: null }),
  kl: ({ kl }: RolloutLoss): Metric | null => kl && { over: "token" },
  approx_kl: (): Metric => ({ over: "token" }),
  policy_loss: ({ kl, entropy }: RolloutLoss): Metric | null => kl || entropy ? { over: "token", reduce: "sum" } : null,
};

/**
 * The objective of rollouts with an own formula. In this order: its loss × off-policy mask × top-entropy mask × sampler
 * weights + kl_coef · KL - entropy_coef · entropy (TRL grpo_trainer._compute_loss; verl losses.ppo_loss).
 */
export function rolloutObjective<Loss extends RolloutLoss, Params extends z.ZodObject, Own extends string>(
  own: OwnObjective<Loss, Params, Own>,
): Omit<RolloutObjective<Loss, Params>, "metrics"> & {
  readonly metrics: Readonly<Record<Own | keyof typeof SHARED_METRICS, (loss: Loss) => Metric | null>>;
} {
  return {
    ...own,
    unit: "token",
    inputs: (loss) => ({ ...sharedInputs(loss), ...own.inputs?.(loss) }),
    weights: addedWeights,
    metrics: { ...own.metrics, ...SHARED_METRICS },
    graph(loss, tokens) {
      const ratio = ratioOf(loss, tokens), advantages = tokens.input("advantages");
      const { loss: policy, metrics } = own.terms(loss, { ...tokens, ...ratio, advantages });
      const weighed = masked(loss, tokens, advantages, policy, own.usesSamplerWeights === true);
      const { loss: total, added, kl } = withKlAndEntropy(loss, tokens, weighed, ratio.ratio);
      const reported: Record<string, Value> = {
        ...metrics,
        ratio_mean: ratio.ratio,
        approx_kl: ratio.logRatio.neg(),
        ...(kl ? { kl } : {}),
        ...(loss.kl || loss.entropy
          ? { policy_loss: dropped(loss, tokens, weighed).mul(tokens.input("coefficients")) }
          : {}),
      };
      return {
        loss: dropped(loss, tokens, total),
        metrics: Object.fromEntries(
          Object.entries(reported).map(([name, value]) => [name, droppedMetric(loss, tokens, value)]),
        ),
        ...(added ? { added } : {}),
      };
    },
  };
}

function sharedInputs({ onPolicy, kl, offPolicy, topEntropy, samplerWeights, entropy }: RolloutLoss) {
  const inputs: Record<string, Unit> = { advantages: "token" };
  if (!onPolicy) inputs["old_logprobs"] = "token";
  if (kl) inputs["ref_logprobs"] = "token";
  if (kl?.coefficient === null) inputs["kl_coef"] = "value";
  if (offPolicy?.logprobs === "sampler_logprobs") inputs["sampler_logprobs"] = "token";
  if (topEntropy) inputs["entropy_mask"] = "token";
  if (samplerWeights) inputs["sampler_weights"] = samplerWeights;
  if (entropy?.coefficient === null) inputs["entropy_coef"] = "value";
  return inputs;
}

/** Inputs that weigh the terms which do not add up as the objective's tokens do. */
function addedWeights({ kl, entropy, topEntropy }: RolloutLoss): Record<string, TermWeights> {
  const among = topEntropy ? { among: "entropy_mask" } : {};
  return {
    ...(kl?.aggregation ? { kl_coefficients: { aggregation: kl.aggregation } } : {}),
    ...(entropy ? { entropy_coefficients: { aggregation: entropy.aggregation, ...among } } : {}),
  };
}

/** The objective's loss of the tokens that stay, times the sampler's weights. */
function masked(loss: RolloutLoss, tokens: PolicyTokens, advantages: Value, policy: Value, weighsItself: boolean) {
  const { input } = tokens;
  let result = policy;
  if (loss.offPolicy) result = result.mul(onPolicyMask(loss, tokens, advantages));
  if (loss.topEntropy) result = result.mul(input("entropy_mask"));
  if (loss.samplerWeights && !weighsItself) result = result.mul(input("sampler_weights"));
  return result;
}

/**
 * 1 where the advantage is not negative or the completion's mean log-ratio of the policy that sampled to this one, nats
 * per token, is at most the threshold: float [B, T]. Source: TRL grpo_trainer.get_off_policy_mask (DeepSeek-V3.2).
 */
function onPolicyMask({ offPolicy, onPolicy }: RolloutLoss, tokens: PolicyTokens, advantages: Value): Value {
  const { threshold, logprobs: name } = offPolicy!, now = tokens.logprobs.stopGradient();
  const before = name === "old_logprobs" && onPolicy ? now : tokens.input(name);
  const apart = before.isNaN().where(0, before.sub(now)); // a token without a value of the sampler's counts as 0
  const near = rowMean(name === "sampler_logprobs" ? apart : before.sub(now), tokens.mask).lessOrEqual(threshold);
  return advantages.greaterOrEqual(0).or(near).cast(advantages.dtype);
}

function withKlAndEntropy(loss: RolloutLoss, tokens: PolicyTokens, policy: Value, ratio: Value) {
  const { logprobs, mask, input } = tokens, { kl, entropy } = loss, added: Value[] = [];
  let total = policy, estimate: Value | null = null;
  if (kl) {
    const plain = klToReference(kl, logprobs, input("ref_logprobs"), mask);
    estimate = kl.timesRatio ? plain.mul(ratio) : plain;
    const cost = estimate.mul(kl.coefficient ?? input("kl_coef"));
    if (kl.aggregation) added.push(dropped(loss, tokens, cost).mul(input("kl_coefficients")));
    else total = policy.add(cost);
  }
  if (entropy) {
    const earned = tokens.statistic("entropy").mul(entropy.coefficient ?? input("entropy_coef"));
    added.push(dropped(loss, tokens, earned).mul(input("entropy_coefficients")).neg());
  }
  const [first, second] = added;
  return { loss: total, kl: estimate, added: first && second ? first.add(second) : first };
}

/** A part of the loss without what does not count, where the loss says so: no gradient of a NaN weight comes from there. */
function dropped({ dropsPadding }: RolloutLoss, { mask }: PolicyTokens, value: Value): Value {
  if (!dropsPadding) return value;
  return (dropsPadding === "rows" ? mask.sum([1]) : mask).greater(0).where(value, 0);
}

/** A metric without what stands on padding. */
function droppedMetric({ dropsPadding }: RolloutLoss, { mask }: PolicyTokens, value: Value): Value {
  return dropsPadding && value.dims[1] === mask.dims[1] ? mask.greater(0).where(value, 0) : value;
}
