/**
 * What happens between reading a rollout and its first update: the old policy, the sampler's correction. Old log-probs are
 * those of the policy without dropout: where an adapter has some, they take a pass of their own.
 * @module
 */
import { tableOf } from "../../data/tables/mod.ts";
import type { Policy } from "../resources/policy.ts";
import type { StepContext } from "../step.ts";
import { tokenCount } from "../corrections/masked_rows.ts";
import type { Rollout } from "./rollout.ts";
import {
  comparesSampler,
  correctSampler,
  SAMPLER_COLUMNS,
  type SamplerMetrics,
  type SamplerOptions,
} from "./sampler_correction.ts";

/** Runs the policy once over the rollout. */
type OldLogprobs = () => Promise<readonly Float32Array[]>;

/** Options that decide whether log-probs are needed before the first update. */
export interface BeforeOptions extends SamplerOptions {
  readonly minibatches: number;
}

/**
 * Fills in what the updates read: `oldLogprobs` where the first update cannot give them, weights and mask of the sampler's
 * correction. Returns its metrics, null where there is none.
 */
export async function beforeUpdates(
  given: BeforeOptions,
  context: StepContext,
  rollout: Rollout,
  oldLogprobs: OldLogprobs,
): Promise<SamplerMetrics> {
  const compares = comparesSampler(given), bypasses = given.old_logprobs === "sampler";
  if ((compares || bypasses) && !rollout.comparable) {
    throw new RangeError(
      "Cannot compare trainer and sampler: the sampler draws from a filtered distribution (temperature 0, top_k, top_p, " +
        "min_p, a repetition penalty or suppressed tokens), want plain sampling",
    );
  }
  if (bypasses) rollout.ratioLogprobs = rollout.samplerLogprobs;
  if (context.position === 0 && readsPolicy(given, dropsOut(context.resource("policy")))) {
    keepOldLogprobs(context, rollout, await oldLogprobs());
  }
  return compares ? corrected(given, context, rollout) : nothing();
}

/** Whether the policy is read before the first update: old log-probs are asked for, and that update cannot give them. */
export function readsPolicy(given: BeforeOptions, isDropped: boolean): boolean {
  return comparesSampler(given) || (given.minibatches === 1 ? isDropped : given.old_logprobs !== "sampler");
}

/** Whether the first update's own pass says other log-probs than the policy that sampled has. */
export function dropsOut({ model }: Policy): boolean {
  return (model.adapted?.adapter.dropout ?? 0) > 0;
}

/** The policy that sampled is the one before the first update: later ones, and a resumed step, read its log-probs. */
export function keepOldLogprobs(context: StepContext, rollout: Rollout, logprobs: readonly Float32Array[]): void {
  rollout.oldLogprobs = logprobs;
  const added = tableOf("completions", { old_logprobs: logprobs });
  context.write({ completions: context.table("completions").assign(added) });
}

function corrected(given: BeforeOptions, context: StepContext, rollout: Rollout): SamplerMetrics {
  const { oldLogprobs, samplerLogprobs, completionMask } = rollout;
  // What is not finite is the first update's to name: it says which tensor broke.
  if (oldLogprobs!.some((row) => Array.from(row).some((value) => !Number.isFinite(value)))) {
    if (given.sampler_weights !== "none") rollout.samplerWeights = completionMask.map(() => 1);
    return nothing();
  }
  const { weights, mask, metrics, missing } = correctSampler(given, oldLogprobs!, samplerLogprobs, completionMask);
  if (missing > 0) {
    const text = `The sampler gave no log-prob for ${missing} tokens: they count with weight 1`;
    context.emit({ event: "message", text });
  }
  if (weights) rollout.samplerWeights = weights;
  rollout.completionMask = mask;
  rollout.lengths = mask.map(tokenCount);
  rollout.tokens = rollout.lengths.reduce((a, b) => a + b, 0);
  return metrics;
}

const nothing = () => Object.fromEntries(SAMPLER_COLUMNS.map((name) => [name, null])) as SamplerMetrics;
