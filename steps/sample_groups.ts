/** The step `sample_groups`: a group of completions for each prompt, sampled from the policy. @module */
import { type ColumnTable, table } from "arquero";
import { z } from "zod";
import { columnArray } from "../data/tables/mod.ts";
import type { Sequences } from "../gpu/language_model.ts";
import type { MemoryBudget } from "../gpu/ort/memory_budget.ts";
import { samplerKind } from "../gpu/sampling/options.ts";
import type { SamplerKind } from "../gpu/sampling/pick.ts";
import { type Cost, type CostFacts, FLOPS } from "./cost/cost.ts";
import { decodingBytes, rowsBytes } from "./cost/memory.ts";
import { microBatch } from "./cost/micro_batch.ts";
import {
  logprobTemperature,
  PLAIN_SAMPLING,
  SAMPLING_PARAMS,
  samplingLine,
  type SamplingSettings,
  samplingSettings,
} from "./options/sampling_settings.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { type DrawnPrompt, drawPrompts } from "./prompts/draw_prompts.ts";
import type { Policy } from "./resources/policy.ts";
import type { SampledCompletion } from "./resources/sampler.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { completionMask } from "./sampling/completion_mask.ts";
import { defineStep, type Earlier, type StepContext } from "./step.ts";

const params = z.strictObject({
  prompts_per_step: z.int().min(1).describe("prompts drawn for one train step"),
  group_size: z.int().min(1).default(8).describe("completions sampled per prompt (G)"),
  max_new_tokens: z.int().min(1).describe("longest completion, tokens, its end of sequence included"),
  ...SAMPLING_PARAMS,
  split: z.enum(["train", "validation", "held_out"]).default("train").describe("which prompts are drawn"),
  draw: z.enum(["uniform", "pass_rate"]).default("uniform").describe(
    "uniform: every prompt once per pass; pass_rate: in proportion to 4 p (1 - p), at least 0.05, where p is how often the " +
      "prompt was solved; needs filter_groups",
  ),
  pass_rate_steps: z.int().min(1).max(1024).default(128).describe("train steps that pass rates are taken from"),
  mask_truncated: z.boolean().default(false).describe("truncated completions do not count in the loss"),
  suppress_tokens: z.array(z.int().min(0)).default([]).describe(
    "ids of tokens that are never drawn, as in transformers; the end of sequence cannot be one",
  ),
  rows_at_once: z.int().min(0).default(0).describe(
    "completions decoded together, whole groups: bounds memory; 0 = all",
  ),
});

/** Its parameters, validated. */
export type SampleGroups = z.output<typeof params>;

/** Log-probs under the reference cost a pass: they are taken where there is one. */
const WITH_REFERENCE = {
  only: "with a reference; set reference of load_model to copy or a folder",
  when: (_: unknown, earlier: Earlier) => earlier("load_model")?.["reference"] !== "none",
} as const;

export const sampleGroups = defineStep({
  about: "Sample a group of completions for each prompt from the policy",
  params,
  reads: {
    prompts: ["prompt_id", "prompt", "answer", "split"],
    groups: [
      { column: "prompt_id", optional: true },
      { column: "generation_batch", optional: true },
      { column: "completions", optional: true },
      { column: "pass_rate", optional: true },
    ],
  },
  writes: {
    completions: [
      "train_step",
      "prompt_id",
      "sample",
      "prompt",
      "answer",
      "text",
      "truncated",
      "completion_tokens",
      "token_ids",
      "completion_mask",
      "sampler_logprobs",
      { column: "ref_logprobs", ...WITH_REFERENCE },
      { column: "old_logprobs", ...WITH_REFERENCE },
    ],
    settings: SETTING_COLUMNS,
  },
  needs: ["policy", "reference"],
  timedAs: "sample",
  decidesReward: Object.keys(SAMPLING_PARAMS),
  // With inherit_sampling the model folder decides.
  inForce: ({ inherit_sampling }) => inherit_sampling ? {} : PLAIN_SAMPLING,
  cost: samplingCost,
  outputs: z.object({
    completions: z.int().describe("completions sampled"),
    completion_length: z.number().describe("mean length, tokens"),
    truncated_fraction: z.number().describe("fraction of completions that reached max_new_tokens"),
  }),
  check(given) {
    const { group_size, rows_at_once, draw } = given;
    const idle = draw === "uniform"
      ? withoutEffect(given, params.shape, ["pass_rate_steps"], "draw is uniform, want pass_rate")
      : [];
    return rows_at_once % group_size !== 0
      ? [
        ...idle,
        `Cannot decode ${rows_at_once} completions at once: groups have ${group_size}, want rows_at_once to be a ` +
        "multiple of group_size, or 0 for all",
      ]
      : idle;
  },
  async run(given, context) {
    const { seed, trainStep } = context;
    if (trainStep < 1) {
      throw new RangeError("Cannot sample groups: no train step has begun; put the step into a repeat block");
    }
    const policy = context.resource("policy");
    const sampling = samplingSettings(given, policy.generationConfig, given.inherit_sampling);
    const { batch, drawn } = before(context);
    const prompts = drawPrompts(context.table("prompts"), {
      ...{ seed, trainStep, batch, drawn },
      split: given.split,
      count: given.prompts_per_step,
      groups: judgedGroups(context, given),
    });
    const texts = prompts.map(({ prompt }) => prompt);
    holdRows(context, policy.model.runtime.budget, prompts.length * given.group_size, given.max_new_tokens);
    const sampled = await policy.sampler.sample(texts, {
      group: given.group_size,
      maxNewTokens: given.max_new_tokens,
      values: sampling.values,
      rowsAtOnce: given.rows_at_once,
      suppressIds: suppressed(given.suppress_tokens, policy),
      draws: { seed, stream: batch === 1 ? "sample_groups" : `sample_groups.${batch}`, trainStep },
    }, () => context.safePoint());
    const sequences = policy.sequences(texts, sampled.map(({ tokenIds }) => tokenIds), given.max_new_tokens);
    const logprobs = await modelLogprobs(context, sequences, logprobTemperature(sampling.values));
    if (recordSettings(context, given, sampling)) context.emit({ event: "message", text: samplingLine(sampling) });
    const sum = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);
    return {
      tables: { completions: table({ ...completionColumns(trainStep, given, prompts, sampled), ...logprobs }) },
      outputs: {
        completions: sampled.length,
        completion_length: sum(sampled.map(({ tokenIds }) => tokenIds.length)) / sampled.length,
        truncated_fraction: sum(sampled.map(({ truncated }) => +truncated)) / sampled.length,
      },
    };
  },
});

/** Counts the rows of this rollout and of those before that are in memory. */
function holdRows(context: StepContext, budget: MemoryBudget | null, rows: number, tokens: number): void {
  if (budget === null) return;
  const before = context.history("completions", Infinity).numRows();
  budget.hold(completionColumns, () => rowsBytes(before + rows, tokens));
}

/** Log-probs under the policy and its reference, where there is one: only a KL needs them before the update. */
async function modelLogprobs(context: StepContext, sequences: Sequences, temperature: number) {
  const policy = context.resource("policy"), reference = context.resource("reference");
  if (!reference.exists) return {};
  return {
    old_logprobs: await policy.logprobs(sequences, temperature),
    ref_logprobs: await reference.logprobs(sequences, temperature),
  };
}

/** Writes what is in force to the table `settings`; says whether that is new. */
function recordSettings(context: StepContext, given: SampleGroups, { values, origins }: SamplingSettings): boolean {
  const { group_size, max_new_tokens, prompts_per_step, mask_truncated, suppress_tokens } = given;
  const settings = { ...values, group_size, max_new_tokens, prompts_per_step, mask_truncated, suppress_tokens };
  const origin = (name: string) => (origins as Record<string, string>)[name] ?? "workflow";
  return writeSettings(context, settings, origin);
}

function completionColumns(
  trainStep: number,
  { group_size, mask_truncated }: SampleGroups,
  prompts: readonly DrawnPrompt[],
  sampled: readonly SampledCompletion[],
) {
  const of = sampled.map((_, i) => prompts[Math.floor(i / group_size)]!);
  return {
    train_step: sampled.map(() => trainStep),
    prompt_id: of.map(({ prompt_id }) => prompt_id),
    sample: sampled.map((_, i) => i % group_size),
    prompt: of.map(({ prompt }) => prompt),
    answer: of.map(({ answer }) => answer),
    text: sampled.map(({ text }) => text),
    truncated: sampled.map(({ truncated }) => truncated),
    completion_tokens: sampled.map(({ tokenIds }) => tokenIds.length),
    token_ids: sampled.map(({ tokenIds }) => tokenIds),
    completion_mask: sampled.map(({ tokenIds, truncated }) =>
      completionMask(tokenIds.length, { truncated, drops: mask_truncated })
    ),
    sampler_logprobs: sampled.map(({ samplerLogprobs }) => samplerLogprobs),
  };
}

/** The ids, if the policy can do without them. */
function suppressed(ids: readonly number[], { tokenizer, model }: Policy): readonly number[] {
  const size = model.config.vocabSize, wrong = ids.find((id) => id >= size);
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot suppress token ${wrong}: the model has ${size} tokens, want ids from 0 to ${size - 1}`,
    );
  }
  const end = tokenizer.eosIds.find((id) => ids.includes(id));
  if (end !== undefined) {
    throw new RangeError(`Cannot suppress token ${end}: it ends a sequence, and no completion would ever end`);
  }
  return ids;
}

/** Which sampling of the train step this is, from 1, and the prompts of those before: `filter_groups` asks for more. */
function before(context: StepContext): { readonly batch: number; readonly drawn: ReadonlySet<number> } {
  const groups = context.table("groups");
  if (!groups.numRows()) return { batch: 1, drawn: new Set() };
  const batches = Array.from(columnArray(groups, "generation_batch") as ArrayLike<number>);
  return {
    batch: Math.max(...batches) + 1,
    drawn: new Set(Array.from(columnArray(groups, "prompt_id") as ArrayLike<number>)),
  };
}

/** The groups whose pass rates decide which prompts are drawn, null where nothing does. */
function judgedGroups(context: StepContext, { draw, pass_rate_steps }: SampleGroups): ColumnTable | null {
  if (draw === "uniform") return null;
  const groups = context.history("groups", pass_rate_steps + 1);
  const rates = groups.numRows() ? Array.from(columnArray(groups, "pass_rate")) : [];
  const sampled = context.history("completions", 2).numRows() > 0;
  if (sampled && rates.every((rate) => rate === null || rate === undefined)) {
    throw new RangeError(
      `Cannot draw prompts by pass rate: ${
        rates.length ? "no group has one, want a task with a verifier" : 'table "groups" is empty'
      }; put filter_groups behind score_rewards, with keep: all where nothing is to be left out`,
    );
  }
  return groups;
}

/** A group that does not fit as a whole is decoded in parts. */
const PART = { option: "rows_at_once", asked: undefined };

/** By which graph tokens are drawn, as on the CPU. */
function drawnBy(given: SampleGroups, { generation = null }: CostFacts): SamplerKind {
  const { values } = samplingSettings(given, generation, given.inherit_sampling);
  return samplerKind({
    temperature: values.temperature,
    topK: values.top_k,
    topP: values.top_p,
    minP: values.min_p,
    repetitionPenalty: values.repetition_penalty,
    suppressIds: given.suppress_tokens,
  }, true);
}

/** What one sampling of all groups costs. */
export function samplingCost(given: SampleGroups, facts: CostFacts): Cost {
  const { prompts_per_step: prompts, group_size: group, max_new_tokens: completionTokens, rows_at_once } = given;
  const { config, parameters, adapter, samplingBits: bits, promptTokens, keptSteps, free = null } = facts;
  const sampler = drawnBy(given, facts);
  const rows = prompts * group, kept = rowsBytes(rows * keptSteps, completionTokens);
  const bytesOf = (prompts: number, group: number) =>
    decodingBytes(config, { prompts, group, promptTokens, completionTokens }, { adapter, bits, sampler });
  const left = { free: free === null ? null : free - kept };
  const groups = microBatch(left, {
    option: "rows_at_once",
    asked: rows_at_once === 0 ? undefined : Math.ceil(rows_at_once / group),
    most: prompts,
    bytesOf: (prompts) => bytesOf(prompts, group),
  });
  const { chosen } = groups, splits = chosen !== undefined && groups.bytes > left.free!;
  const part = microBatch(left, { ...PART, most: group, bytesOf: (rows) => bytesOf(1, rows) });
  const bytes = splits ? part.bytes : groups.bytes, value = splits ? part.count : groups.count * group;
  return {
    flops: FLOPS.sampled * parameters * rows * completionTokens,
    trainSteps: 1,
    held: kept,
    shape: { name: "rollout", text: `[${rows}, ${completionTokens}] completion tokens per train step` },
    peak: {
      key: "prompts_per_step",
      bytes,
      ...(chosen ? { chosen: { ...chosen, value } } : {}),
      what: `sampling ${prompts} × ${group} completions of up to ${completionTokens} tokens`,
      remedy: "lower prompts_per_step, or set rows_at_once",
    },
  };
}
