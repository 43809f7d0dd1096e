/** How a rollout is dealt out to updates, of the policy and of the critic alike, with what that costs. @module */
import { z } from "zod";
import { type Cost, type CostFacts, passImages, trainingFlops } from "../cost/cost.ts";
import { trainingBytes } from "../cost/memory.ts";
import { microBatch } from "../cost/micro_batch.ts";
import type { Sequences } from "../../gpu/language_model.ts";
import { longestRow } from "../../gpu/training/train_batch.ts";
import type { SampleGroups } from "../sample_groups.ts";
import { PASS_PARAMS } from "./pass_options.ts";

export const ROLLOUT_UPDATE_PARAMS = {
  updates_per_rollout: z.int().min(1).default(1).describe("updates on the same completions"),
  minibatches: z.int().min(1).default(1).describe(
    "slices of the rollout, one update each; divides updates_per_rollout",
  ),
  ...PASS_PARAMS,
};

const SHAPE = z.strictObject(ROLLOUT_UPDATE_PARAMS);
type RolloutUpdates = z.output<typeof SHAPE>;

/** What is wrong with the options together. */
export function rolloutUpdateProblems({ updates_per_rollout, minibatches }: RolloutUpdates): string[] {
  return updates_per_rollout % minibatches === 0 ? [] : [
    `Cannot split ${updates_per_rollout} updates into passes over ${minibatches} minibatches: ` +
    `want updates_per_rollout to be a multiple of minibatches`,
  ];
}

/** Throws a RangeError where slices would cut a group. */
export function requireSlices(prompts: number, minibatches: number): void {
  if (prompts % minibatches === 0) return;
  throw new RangeError(
    `Cannot split ${prompts} prompts into ${minibatches} minibatches: want prompts_per_step to be a multiple`,
  );
}

/** One of `minibatches` slices: whole groups, in order, read with the frequencies of the whole; `cut` takes its part of a list with a place per completion. */
export function sliceOf({ prompts, group, completions, positions = 0 }: Sequences, part: number, minibatches: number) {
  const each = prompts.length / minibatches, rows = each * group;
  const cut = <T>(list: readonly T[]) => list.slice(part * rows, (part + 1) * rows);
  const sequences = {
    prompts: prompts.slice(part * each, (part + 1) * each),
    group,
    completions: cut(completions),
    positions: Math.max(positions, longestRow(prompts, group, completions)),
  };
  return { sequences, cut };
}

interface RolloutCost {
  /** What is computed, as a person says it. */
  readonly what: string;
  /** The loss has an entropy bonus. */
  readonly entropy?: boolean;
  /** What of a rollout's sampling is known; null: nothing. */
  readonly sampled: Pick<SampleGroups, "prompts_per_step" | "group_size" | "max_new_tokens"> | null;
}

type RolloutFacts = Pick<CostFacts, "config" | "parameters" | "adapter" | "bits" | "promptTokens" | "free" | "images">;

/** As many passes over the rollout as its updates make, slice by slice. */
export function rolloutUpdateCost(
  { updates_per_rollout, minibatches, prompts_per_pass, recompute }: RolloutUpdates,
  facts: RolloutFacts,
  { what, sampled, entropy = false }: RolloutCost,
): Cost | null {
  if (sampled === null) return null;
  const { config, parameters, adapter, bits, promptTokens, free } = facts;
  const { prompts_per_step, group_size: group, max_new_tokens: completionTokens } = sampled;
  const slice = Math.ceil(prompts_per_step / minibatches), shape = { group, promptTokens, completionTokens };
  const { count: prompts, bytes, chosen } = microBatch({ free }, {
    option: "prompts_per_pass",
    asked: prompts_per_pass,
    most: slice,
    bytesOf: (prompts) =>
      trainingBytes(config, { ...shape, prompts, ...passImages(facts, prompts) }, {
        recompute,
        adapter,
        bits,
        entropy,
      }),
  });
  return {
    flops: trainingFlops({ parameters, adapter }, { recompute }) * prompts_per_step * group * completionTokens *
      updates_per_rollout / minibatches,
    trainSteps: 0,
    peak: {
      key: "prompts_per_pass",
      bytes,
      ...(chosen ? { chosen } : {}),
      what: `${what} on ${prompts} × ${group} completions of up to ${completionTokens} tokens at once`,
      remedy: recompute ? "set prompts_per_pass, e.g. 16" : "set prompts_per_pass, e.g. 16, or recompute: true",
    },
  };
}
