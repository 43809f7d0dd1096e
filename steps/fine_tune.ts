/** The step `fine_tune`: supervised warm start on prompts with their answers, up to a measured accuracy. @module */
import { z } from "zod";
import { integers, uniform } from "../data/random.ts";
import { tableOf } from "../data/tables/mod.ts";
import type { PromptRow } from "../data/tasks/mod.ts";
import { verify } from "../data/tasks/verifiers/verify.ts";
import { locateNonFinite, MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { adamwAt, OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { updateSize } from "./training/update_size.ts";
import { withoutEffect } from "./options/without_effect.ts";
import type { Policy } from "./resources/policy.ts";
import { mergeSettings, SETTING_COLUMNS } from "./options/settings_table.ts";
import { defineStep } from "./step.ts";

const params = z.strictObject({
  max_updates: z.int().min(1).describe("updates at most"),
  until_accuracy: z.number().gt(0).max(1).optional().describe(
    "stop when this fraction of samples at temperature 1 is right on validation prompts",
  ),
  evaluate_every: z.int().min(1).default(25).describe("updates between measurements of the accuracy"),
  evaluate_limit: z.int().min(1).default(256).describe("validation prompts per measurement"),
  batch_size: z.int().min(1).default(64).describe("prompts per update, drawn with replacement"),
  ...OPTIMIZER_PARAMS,
  learning_rate: OPTIMIZER_PARAMS.learning_rate.default(1e-3),
  warmup_updates: z.int().min(0).default(20).describe("updates over which the learning rate grows from 0"),
});

const METRIC_COLUMNS = [
  "train_step",
  "phase",
  "step_id",
  "loss",
  "accuracy",
  "entropy",
  "loss_tokens",
  "grad_norm",
  "learning_rate",
  "update_size",
  "relative_update",
  "non_finite",
  "tokens_per_second",
  "step_ms",
  "update_ms",
] as const;

const UPDATE_COLUMNS = [
  "train_step",
  "update",
  "loss",
  "grad_norm",
  "learning_rate",
  "update_size",
  "applied",
] as const;

const LOSS = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;

export const fineTune = defineStep({
  about: "Warm-start the policy by supervised learning on the train prompts",
  params,
  reads: { prompts: ["prompt", "answer", "split"] },
  writes: {
    metrics: METRIC_COLUMNS,
    updates: UPDATE_COLUMNS,
    settings: SETTING_COLUMNS,
    messages: MESSAGE_COLUMNS,
  },
  needs: ["policy", "optimizer"],
  gives: [],
  pure: false,
  outputs: z.object({
    updates: z.int().describe("updates applied"),
    loss: z.number().nullable().describe("cross-entropy of the last batch, nats per token"),
    accuracy: z.number().nullable().describe("last measured fraction of right samples on validation prompts"),
  }),
  check(given) {
    const idle = given.until_accuracy === undefined ? ["evaluate_every", "evaluate_limit"] as const : [];
    return [
      ...optimizerProblems(given),
      ...withoutEffect(given, params.shape, idle, "there is no until_accuracy to measure for"),
    ];
  },
  async run(given, context) {
    const policy = context.resource("policy"), optimizer = context.resource("optimizer");
    const rows = promptRows(context.table("prompts").objects() as PromptRow[], "train");
    const validation = promptRows(context.table("prompts").objects() as PromptRow[], "validation").slice(
      0,
      given.evaluate_limit,
    );
    if (given.until_accuracy !== undefined && !validation.length) {
      throw new RangeError('Cannot stop at an accuracy: table "prompts" has no row of split "validation"');
    }
    const longest = Math.max(...validation.map((row) => policy.encodeAnswer(String(row.answer)).length), 1) + 1;
    await optimizer.begin(context.stepId);
    const settings = mergeSettings(context, {
      sft_learning_rate: given.learning_rate,
      sft_max_grad_norm: given.max_grad_norm,
      sft_epsilon: given.epsilon,
      sft_batch_size: given.batch_size,
    }, () => "workflow");
    if (settings) context.write({ settings });
    let loss: number | null = null, accuracy: number | null = null, update = context.position;
    while (update < given.max_updates) {
      update++;
      const trainStep = context.advance(), started = performance.now();
      const picks = integers(context.seed, "fine_tune", trainStep, 0, given.batch_size, rows.length);
      const batch = Array.from(picks, (i) => rows[i]!);
      const completions = batch.map((row) => policy.encodeAnswer(String(row.answer)));
      const sequences = {
        prompts: batch.map((row) => policy.encodePrompt(String(row.prompt), 0)),
        group: 1,
        completions,
      };
      const result = await policy.model.accumulateGradient(sequences, LOSS);
      const adamw = adamwAt(given, update);
      const applied = await policy.model.applyUpdate(adamw);
      const ms = performance.now() - started;
      loss = result.loss;
      const last = update === given.max_updates;
      const due = given.until_accuracy !== undefined && (update % given.evaluate_every === 0 || last);
      if (due) accuracy = await measure(policy, validation, longest, context.seed, trainStep);
      const size = updateSize(applied, adamw.learningRate, policy.model.trainable.count);
      const nonFinite = applied.applied ? 0 : 1;
      context.write({
        metrics: tableOf("metrics", {
          train_step: [trainStep],
          phase: ["sft"],
          step_id: [context.stepId],
          loss: [result.loss],
          accuracy: [due ? accuracy : null],
          entropy: [result.entropy],
          loss_tokens: [result.tokens],
          grad_norm: [applied.gradNorm],
          learning_rate: [adamw.learningRate],
          update_size: [size.update_size],
          relative_update: [size.relative_update],
          non_finite: [nonFinite],
          tokens_per_second: [1000 * result.tokens / ms],
          step_ms: [ms],
          update_ms: [ms],
        }),
        updates: tableOf("updates", {
          train_step: [trainStep],
          update: [1],
          loss: [result.loss],
          grad_norm: [applied.gradNorm],
          learning_rate: [adamw.learningRate],
          update_size: [size.update_size],
          applied: [applied.applied],
        }),
      });
      if (!applied.applied) {
        const located = await locateNonFinite(policy.model, sequences, LOSS, trainStep);
        context.write({ messages: located.table });
        throw new RangeError(
          `Cannot go on with the supervised warm start: loss ${result.loss} and gradient norm ${applied.gradNorm} at ` +
            `train step ${trainStep}, want finite numbers (first non-finite: ${located.text}); the weights are as before that update; lower learning_rate`,
        );
      }
      if (last || (due && accuracy! >= given.until_accuracy!)) break;
      await context.safePoint(update);
    }
    return { outputs: { updates: update, loss, accuracy } };
  },
});

function promptRows(rows: readonly PromptRow[], split: string): PromptRow[] {
  const found = rows.filter((row) => row.split === split);
  if (split === "train" && !found.length) {
    throw new RangeError('Cannot fine-tune: table "prompts" has no row of split "train"');
  }
  return found;
}

/** Fraction of right samples, one per prompt, at temperature 1. */
async function measure(
  policy: Policy,
  rows: readonly PromptRow[],
  maxNewTokens: number,
  seed: number,
  trainStep: number,
): Promise<number> {
  const sampled = await policy.sample(rows.map((row) => String(row.prompt)), {
    group: 1,
    maxNewTokens,
    values: { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
    uniforms: (row, token) => uniform(seed, "fine_tune_accuracy", trainStep, row, token),
  });
  return sampled.filter((s, i) => verify(s.text, rows[i]!) === true).length / rows.length;
}
