/** The step `fine_tune`: supervised warm start on prompts with their answers, up to a measured accuracy. @module */
import { z } from "zod";
import { integers } from "../data/random.ts";
import type { PromptRow } from "../data/tasks/mod.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { supervisedCost } from "./cost/supervised_cost.ts";
import { PLAIN_SAMPLING } from "./options/sampling_settings.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import type { Policy } from "./resources/policy.ts";
import { judge } from "./rewards/programs/judge.ts";
import { defineStep, type StepContext } from "./step.ts";
import {
  plainBatch,
  refuseImages,
  type SupervisedExample,
  supervisedExample,
  supervisedTexts,
} from "./supervised/examples.ts";
import { packedBatch, packRows } from "./supervised/packing.ts";
import { MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { PASS_PARAMS, passLimits } from "./training/pass_options.ts";
import { OWN_COLUMNS, ownUpdates } from "./training/own_updates.ts";
import { UPDATE_COLUMNS } from "./training/update.ts";

const params = z.strictObject({
  max_updates: z.int().min(1).describe("updates at most"),
  until_accuracy: z.number().gt(0).max(1).optional().describe(
    "stop when this fraction of samples at temperature 1 is right on validation prompts",
  ),
  evaluate_every: z.int().min(1).default(25).describe("updates between measurements of the accuracy"),
  evaluate_limit: z.int().min(1).default(256).describe("validation prompts per measurement"),
  batch_size: z.int().min(1).default(64).describe("rows per update"),
  order: z.enum(["drawn", "table"]).default("drawn").describe(
    "of rows: drawn with replacement by the seed, or one after the other as the table has them, again and again",
  ),
  table: z.enum(["prompts", "preferences"]).default("prompts").describe(
    "what to train on: prompts with their answers, or what is preferred of the table preferences",
  ),
  loss_on: z.enum(["completion", "assistant", "all"]).default("completion").describe(
    "tokens that count: the completion's, in conversations every turn of the assistant, or all",
  ),
  max_length: z.int().min(2).optional().describe(
    "tokens of prompt and completion; the rest of a completion is cut off",
  ),
  packing: z.int().min(2).optional().describe(
    "tokens of a packed row: as many rows as fit, which do not see each other; batch_size counts packed rows then",
  ),
  ...PASS_PARAMS,
  ...OPTIMIZER_PARAMS,
  learning_rate: OPTIMIZER_PARAMS.learning_rate.default(1e-3),
  warmup_updates: z.int().min(0).default(20).describe("updates over which the learning rate grows from 0"),
});

type Params = z.output<typeof params>;

const METRIC_COLUMNS = [...OWN_COLUMNS, "accuracy", "entropy", "token_accuracy", "loss_tokens"] as const;

const LOSS = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;

export const fineTune = defineStep({
  about: "Warm-start the policy by supervised learning on the train prompts",
  params,
  reads: {
    prompts: (["prompt", "answer", "split"] as const).map((column) => ({ column, param: "table", when: readsPrompts })),
    preferences: (["prompt", "split"] as const).map((column) => ({
      column,
      param: "table",
      when: ({ table }: Params) => table === "preferences",
    })),
  },
  writes: { metrics: METRIC_COLUMNS, updates: UPDATE_COLUMNS, settings: SETTING_COLUMNS, messages: MESSAGE_COLUMNS },
  needs: ["policy", "optimizer"],
  setup: true,
  trains: ({ max_updates, until_accuracy }) => ({ updates: max_updates, until: until_accuracy }),
  cost: tuningCost,
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
    const train = batchesOf(context, policy, given), validation = validationRows(context, given);
    const longest = Math.max(...validation.map((row) => policy.encodeAnswer(String(row.answer)).length), 1) + 1;
    const passes = passLimits(given);
    await optimizer.begin(context.stepId);
    writeSettings(context, {
      sft_learning_rate: given.learning_rate,
      sft_max_grad_norm: given.max_grad_norm,
      sft_epsilon: given.epsilon,
      sft_batch_size: given.batch_size,
    });
    let accuracy: number | null = null;
    const { updates, loss } = await ownUpdates(context, {
      model: policy.model,
      optimizer: given,
      most: given.max_updates,
      measureEvery: given.until_accuracy === undefined ? null : given.evaluate_every,
      phase: "sft",
      what: "with the supervised warm start",
      learn: (update, trainStep) => ({
        batch: train.batch(picksOf(given, update, train.length, context, trainStep)),
        settings: { ...LOSS, ...passes },
      }),
      async tell({ result, row: { train_step, entropy } }, _, { due }) {
        if (due) accuracy = await measure(policy, validation, longest, context, train_step as number);
        const row = {
          accuracy: due ? accuracy : null,
          entropy,
          token_accuracy: result.metrics["token_accuracy"] ?? null,
          loss_tokens: result.tokens,
        };
        return { row, done: due && accuracy! >= given.until_accuracy! };
      },
    });
    return { outputs: { updates, loss, accuracy } };
  },
});

/** Prompts are read to train on them, or to measure the accuracy on. */
function readsPrompts({ table, until_accuracy }: Params): boolean {
  return table === "prompts" || until_accuracy !== undefined;
}

/** The prompts to measure the accuracy on; none where nothing is measured. */
function validationRows(context: StepContext, given: Params): readonly PromptRow[] {
  if (given.until_accuracy === undefined) return [];
  const rows = context.table("prompts").objects() as PromptRow[];
  const validation = rows.filter(({ split }) => split === "validation").slice(0, given.evaluate_limit);
  if (validation.length > 0) return validation;
  throw new RangeError('Cannot stop at an accuracy: table "prompts" has no row of split "validation"');
}

/** Rows become tokens when they are first drawn: of a large table most never are. */
function examplesOf(context: StepContext, policy: Policy, given: Params) {
  const { table, loss_on, max_length } = given;
  const texts = supervisedTexts(context, table), examples: SupervisedExample[] = [];
  refuseImages(table, texts, given);
  const at = (row: number) =>
    examples[row] ??= supervisedExample(policy, table, texts[row]!, loss_on, max_length ?? null);
  return { length: texts.length, at };
}

/** Which rows an update takes. */
function picksOf({ order, batch_size }: Params, update: number, rows: number, context: StepContext, trainStep: number) {
  return order === "table"
    ? Array.from({ length: batch_size }, (_, i) => ((update - 1) * batch_size + i) % rows)
    : integers(context.seed, "fine_tune", trainStep, 0, batch_size, rows);
}

/** The rows to train on, packed where that is asked for, and what makes a batch of some of them. */
function batchesOf(context: StepContext, policy: Policy, given: Params) {
  const { length, at } = examplesOf(context, policy, given);
  if (given.packing === undefined) return { length, batch: (picks: readonly number[]) => plainBatch(picks.map(at)) };
  const examples = Array.from({ length }, (_, row) => at(row));
  const bins = packRows(examples.map(({ prompt, completion }) => prompt.length + completion.length), given.packing);
  const rowsOf = (bin: number) => bins[bin]!.map((row) => examples[row]!);
  return { length: bins.length, batch: (picks: readonly number[]) => packedBatch(picks.map(rowsOf)) };
}

/** Fraction of right samples, one per prompt, at temperature 1. */
async function measure(
  policy: Policy,
  rows: readonly PromptRow[],
  maxNewTokens: number,
  context: StepContext,
  trainStep: number,
): Promise<number> {
  const sampled = await policy.sampler.sample(rows.map((row) => String(row.prompt)), {
    group: 1,
    maxNewTokens,
    values: PLAIN_SAMPLING,
    draws: { seed: context.seed, stream: "fine_tune_accuracy", trainStep },
  });
  const right = await judge(sampled.map(({ text }) => text), rows, context);
  return right.filter((one) => one === true).length / rows.length;
}

function tuningCost(given: Params, facts: CostFacts): Cost {
  return supervisedCost(given, facts, {
    name: "fine_tune",
    rows: given.packing === undefined ? "rows" : "packed rows",
    group: 1,
    longest: given.table === "preferences" ? facts.preferences ?? facts : facts,
    whole: given.loss_on === "all",
  });
}
