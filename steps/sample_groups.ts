/** The step `sample_groups`: a group of completions for each prompt, sampled from the policy. @module */
import { table } from "arquero";
import { z } from "zod";
import { shuffle, uniform } from "../data/random.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import type { Policy } from "./resources/policy.ts";
import { logprobTemperature, SAMPLING_PARAMS, samplingLine, samplingSettings } from "./options/sampling_settings.ts";
import { defineStep, type Earlier, type StepContext } from "./step.ts";

const params = z.strictObject({
  prompts_per_step: z.int().min(1).describe("prompts drawn for one train step"),
  group_size: z.int().min(1).default(8).describe("completions sampled per prompt (G)"),
  max_new_tokens: z.int().min(1).describe("longest completion, tokens, its end of sequence included"),
  ...SAMPLING_PARAMS,
  split: z.enum(["train", "validation", "held_out"]).default("train").describe("which prompts are drawn"),
  mask_truncated: z.boolean().default(false).describe("truncated completions do not count in the loss"),
  suppress_tokens: z.array(z.int().min(0)).default([]).describe(
    "ids of tokens that are never drawn, as in transformers; the end of sequence cannot be one",
  ),
  rows_at_once: z.int().min(0).default(0).describe(
    "completions decoded together, whole groups: bounds memory; 0 = all",
  ),
});

/** Log-probs under the reference cost a pass: they are taken where there is one. */
const WITH_REFERENCE = {
  only: "with a reference; set reference of load_model to copy or a folder",
  when: (_: unknown, earlier: Earlier) => earlier("load_model")?.["reference"] !== "none",
} as const;

export const sampleGroups = defineStep({
  about: "Sample a group of completions for each prompt from the policy",
  params,
  reads: { prompts: ["prompt_id", "prompt", "answer", "split"] },
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
  gives: [],
  pure: false,
  outputs: z.object({
    completions: z.int().describe("completions sampled"),
    completion_length: z.number().describe("mean length, tokens"),
    truncated_fraction: z.number().describe("fraction of completions that reached max_new_tokens"),
  }),
  check({ group_size, rows_at_once }) {
    return rows_at_once % group_size !== 0
      ? [
        `Cannot decode ${rows_at_once} completions at once: groups have ${group_size}, want rows_at_once to be a ` +
        "multiple of group_size, or 0 for all",
      ]
      : [];
  },
  async run(given, context) {
    if (context.trainStep < 1) {
      throw new RangeError("Cannot sample groups: no train step has begun; put the step into a repeat block");
    }
    const policy = context.resource("policy");
    const sampling = samplingSettings(given, policy.generationConfig, given.inherit_sampling);
    const prompts = drawPrompts(context, given.split, given.prompts_per_step);
    const { seed, trainStep } = context;
    const sampled = await policy.sample(prompts.map((p) => p.prompt), {
      group: given.group_size,
      maxNewTokens: given.max_new_tokens,
      values: sampling.values,
      rowsAtOnce: given.rows_at_once,
      suppressIds: suppressed(given.suppress_tokens, policy),
      uniforms: (row, token) => uniform(seed, "sample_groups", trainStep, row, token),
      safePoint: () => context.safePoint(),
    });
    const reference = context.resource("reference");
    const temperature = logprobTemperature(sampling.values);
    const sequences = policy.sequences(prompts.map((p) => p.prompt), sampled.map((s) => s.tokenIds));
    const logprobs = reference.exists
      ? {
        old_logprobs: await policy.logprobs(sequences, temperature),
        ref_logprobs: await reference.logprobs(sequences, temperature),
      }
      : {};
    const of = <T>(pick: (p: typeof prompts[number]) => T) =>
      sampled.map((_, i) => pick(prompts[Math.floor(i / given.group_size)]!));
    const lengths = sampled.map((s) => s.tokenIds.length);
    const completions = table({
      train_step: sampled.map(() => trainStep),
      prompt_id: of((p) => p.prompt_id),
      sample: sampled.map((_, i) => i % given.group_size),
      prompt: of((p) => p.prompt),
      answer: of((p) => p.answer),
      text: sampled.map((s) => s.text),
      truncated: sampled.map((s) => s.truncated),
      completion_tokens: lengths,
      token_ids: sampled.map((s) => s.tokenIds),
      completion_mask: sampled.map((s) =>
        new Float32Array(s.tokenIds.length).fill(given.mask_truncated && s.truncated ? 0 : 1)
      ),
      sampler_logprobs: sampled.map((s) => s.samplerLogprobs),
      ...logprobs,
    });
    const changed = writeSettings(context, {
      ...sampling.values,
      group_size: given.group_size,
      max_new_tokens: given.max_new_tokens,
      prompts_per_step: given.prompts_per_step,
      mask_truncated: given.mask_truncated,
      suppress_tokens: given.suppress_tokens,
    }, (name) => (sampling.origins as Record<string, string>)[name] ?? "workflow");
    if (changed) context.emit({ event: "message", text: samplingLine(sampling) });
    const sum = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);
    return {
      tables: { completions },
      outputs: {
        completions: sampled.length,
        completion_length: sum(lengths) / lengths.length,
        truncated_fraction: sum(sampled.map((s) => +s.truncated)) / sampled.length,
      },
    };
  },
});

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

interface DrawnPrompt {
  readonly prompt_id: number;
  readonly prompt: string;
  readonly answer: string;
}

/** The prompts of this train step: the split in an order that is shuffled anew for every pass over it. */
function drawPrompts(context: StepContext, split: string, count: number): DrawnPrompt[] {
  const all = context.table("prompts");
  const splits = all.array("split") as ArrayLike<string>;
  const rows: number[] = [];
  for (let i = 0; i < splits.length; i++) if (splits[i] === split) rows.push(i);
  if (rows.length === 0) {
    throw new RangeError(
      `Cannot sample: table "prompts" has no row of split "${split}"; give load_prompts more prompts`,
    );
  }
  const ids = all.array("prompt_id") as ArrayLike<number>;
  const texts = all.array("prompt") as ArrayLike<string>, answers = all.array("answer") as ArrayLike<string>;
  const first = (context.trainStep - 1) * count;
  return Array.from({ length: count }, (_, i) => {
    const at = first + i, pass = Math.floor(at / rows.length);
    const row = rows[passOrder(context.seed, pass, rows.length)[at % rows.length]!]!;
    return { prompt_id: ids[row]!, prompt: texts[row]!, answer: answers[row]! };
  });
}

let lastOrder: { key: string; order: readonly number[] } | null = null;

/** The order of one pass; the last one asked for is kept, since a pass serves many train steps. */
function passOrder(seed: number, pass: number, size: number): readonly number[] {
  const key = `${seed}.${pass}.${size}`;
  if (lastOrder?.key !== key) {
    lastOrder = { key, order: shuffle(Array.from({ length: size }, (_, i) => i), seed, "prompt_order", pass) };
  }
  return lastOrder.order;
}
