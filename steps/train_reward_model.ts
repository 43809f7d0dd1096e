/** The step `train_reward_model`: a score for completions that puts the chosen of each pair above the rejected. @module */
import { z } from "zod";
import { readModelConfig } from "../data/hub/config.ts";
import { integers } from "../data/random.ts";
import { modelConfig } from "../gpu/models/config.ts";
import type { TrainSettings } from "../gpu/language_model.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { scalarBytes } from "./cost/scalar_bytes.ts";
import { supervisedCost } from "./cost/supervised_cost.ts";
import { findFolder, readTensors } from "./resources/model_source.ts";
import { adapterProblems, SCALAR_ADAPTER } from "./options/lora.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { pairBatch, pairRows, type Pairs, ranked } from "./preferences/pair_rows.ts";
import { adapterSettings, modelTensors, savedAdapter } from "./resources/adapter.ts";
import type { Policy } from "./resources/policy.ts";
import { RewardModel } from "./resources/reward_model.ts";
import { scalarBeside } from "./resources/scalar_adapter.ts";
import { requireTower } from "./resources/tower_fit.ts";
import { defineStep, type StepContext } from "./step.ts";
import { MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { PASS_PARAMS, passLimits } from "./training/pass_options.ts";
import { OWN_COLUMNS, ownUpdates } from "./training/own_updates.ts";
import { UPDATE_COLUMNS } from "./training/update.ts";

const params = z.strictObject({
  max_updates: z.int().min(1).describe("updates at most"),
  until_accuracy: z.number().gt(0).max(1).optional().describe(
    "stop when this fraction of validation pairs is in the right order",
  ),
  evaluate_every: z.int().min(1).default(25).describe("updates between measurements of the accuracy"),
  evaluate_limit: z.int().min(1).default(256).describe("pairs per measurement"),
  batch_size: z.int().min(1).default(32).describe("pairs per update, drawn with replacement"),
  margin: z.number().min(0).default(0).describe("how far above the rejected a chosen completion should stand"),
  center_rewards: z.number().min(0).default(0).describe(
    "weight of the squared sum of a pair's scores, which keeps their mean near 0",
  ),
  max_length: z.int().min(2).optional().describe(
    "tokens of prompt and completion; the rest of a completion is cut off, and its score is read there",
  ),
  ...PASS_PARAMS,
  check_data: z.boolean().default(true).describe("refuse pairs of equal completions: there is nothing to learn"),
  model: z.string().min(1).optional().describe(
    "a Hugging Face folder or a run whose body the reward model starts from; the policy's if absent",
  ),
  adapter: SCALAR_ADAPTER.adapter,
  lora: SCALAR_ADAPTER.lora,
  trainable: z.array(z.string().min(1)).min(1).default(["*"]).describe(
    "which parameters train: patterns of their checkpoint names with *; all by default",
  ),
  ...OPTIMIZER_PARAMS,
  learning_rate: OPTIMIZER_PARAMS.learning_rate.default(1e-3),
  warmup_updates: z.int().min(0).default(10).describe("updates over which the learning rate grows from 0"),
});

type Params = z.output<typeof params>;

/** Of the loss's metrics. */
const PAIR_METRICS = ["preference_accuracy", "reward_margin", "chosen_reward", "rejected_reward"] as const;
const METRIC_COLUMNS = [...OWN_COLUMNS, "validation_accuracy", ...PAIR_METRICS] as const;

export const trainRewardModel = defineStep({
  about: "Train a reward model on pairs of completions (Bradley-Terry)",
  params,
  paths: { model: [], adapter: [] },
  reads: { preferences: ["prompt", "chosen", "rejected", "split"] },
  writes: { metrics: METRIC_COLUMNS, updates: UPDATE_COLUMNS, settings: SETTING_COLUMNS, messages: MESSAGE_COLUMNS },
  needs: ["policy"],
  gives: ["reward_model"],
  setup: true,
  trains: ({ max_updates, until_accuracy }) => ({ updates: max_updates, until: until_accuracy }),
  cost: trainingCost,
  outputs: z.object({
    updates: z.int().describe("updates applied"),
    loss: z.number().nullable().describe("loss of the last batch, nats per pair"),
    before: z.number().nullable().describe(
      "fraction of held-out pairs in the right order at the start; null without such pairs, or after a resume",
    ),
    accuracy: z.number().nullable().describe("the same at the end"),
  }),
  check(given) {
    const idle = given.until_accuracy === undefined && given.evaluate_every > given.max_updates;
    const why = `max_updates is ${given.max_updates}, and the last update is measured anyway; want at most ` +
      `${given.max_updates}, or leave it out`;
    return [
      ...optimizerProblems(given),
      ...adapterProblems(given),
      ...(idle ? withoutEffect(given, params.shape, ["evaluate_every"], why) : []),
    ];
  },
  async run(given, context) {
    const policy = context.resource("policy");
    const folder = given.model === undefined ? null : findFolder(given.model, context.folders);
    const model = scalarBeside(policy, { folder, read: () => sourceOf(folder, policy) }, {
      adapter: savedAdapter(given.adapter, { name: "reward_model", base: folder ?? policy.folder }, context),
      lora: given.lora,
      seed: context.seed,
      stream: "reward_head",
      trainable: given.trainable,
    });
    model.willTrain();
    const reward_model = new RewardModel(model, policy, { trained: true, folder: folder ?? policy.folder }),
      resources = { reward_model };
    await context.give?.(resources);
    if (context.restoring) return { resources, outputs: { updates: 0, loss: null, before: null, accuracy: null } };
    const pairs = pairRows(context, policy, { maxLength: given.max_length ?? null, checkData: given.check_data });
    tellIdentical(pairs.train.length, pairs.identical, context);
    writeSettings(context, {
      reward_model_learning_rate: given.learning_rate,
      reward_model_batch_size: given.batch_size,
      center_rewards: given.center_rewards,
      ...adapterSettings(model, "reward_model_"),
    });
    const held = pairs.held_out.slice(0, given.evaluate_limit);
    const before = context.position === 0 ? await ranked(reward_model, held) : null;
    const trained = await train(given, context, reward_model, pairs);
    return { resources, outputs: { ...trained, before, accuracy: await ranked(reward_model, held) } };
  },
});

/** The body that the model starts from. */
function sourceOf(folder: string | null, { model }: Policy) {
  if (folder === null) return { config: model.config, tensors: modelTensors(model) };
  const config = modelConfig(readModelConfig(folder));
  requireTower(`Cannot train a reward model from ${folder}`, config, model.config);
  if (config.vocabSize === model.config.vocabSize) return { config, tensors: readTensors(folder) };
  throw new RangeError(
    `Cannot train a reward model from ${folder}: it has ${config.vocabSize} tokens, want ${model.config.vocabSize} as ` +
      "the policy, whose tokenizer reads the pairs",
  );
}

/** Equal completions teach nothing. */
function tellIdentical(all: number, identical: number, context: StepContext): void {
  if (identical === 0) return;
  const text = `${identical} of ${all} train pairs have the same completion twice: they teach nothing`;
  context.emit({ event: "message", text });
}

async function train(given: Params, context: StepContext, scorer: RewardModel, pairs: Pairs) {
  const settings: TrainSettings = {
    loss: { objective: "reward_pair", center: given.center_rewards },
    aggregation: "token_mean",
    temperature: 1,
    ...passLimits(given),
  };
  const validation = pairs.validation.slice(0, given.evaluate_limit);
  if (given.until_accuracy !== undefined && validation.length === 0) {
    throw new RangeError('Cannot stop at an accuracy: table "preferences" has no pair of split "validation"');
  }
  return await ownUpdates(context, {
    model: scorer.model,
    optimizer: given,
    most: given.max_updates,
    measureEvery: given.evaluate_every,
    phase: "reward_model",
    what: "with the reward model",
    learn(_, trainStep) {
      const picked = drawn(given, context, pairs, trainStep);
      const tokens = picked.flatMap(({ completions }) => completions).reduce((sum, { length }) => sum + length, 0);
      return { batch: pairBatch(picked, given.margin), settings, tokens };
    },
    async tell({ result: { metrics } }, _, { due }) {
      const accuracy = due ? await ranked(scorer, validation) : null;
      const done = given.until_accuracy !== undefined && (accuracy ?? 0) >= given.until_accuracy;
      const row = Object.fromEntries(PAIR_METRICS.map((name) => [name, metrics[name]]));
      return { row: { ...row, validation_accuracy: accuracy }, done };
    },
  });
}

/** The pairs of an update. */
function drawn({ batch_size }: Params, context: StepContext, { train }: Pairs, trainStep: number) {
  const picks = integers(context.seed, "train_reward_model", trainStep, 0, batch_size, train.length);
  return Array.from(picks, (i) => train[i]!);
}

/** Without logits, on weights of its own; a score is read in the place after a completion. */
function trainingCost(given: Params, facts: CostFacts): Cost {
  return supervisedCost(given, facts, {
    name: "train_reward_model",
    rows: "pairs",
    group: 2,
    longest: facts.preferences ?? facts,
    appended: 1,
    config: { ...facts.config, vocabSize: 0 },
    held: scalarBytes(given, facts, facts.earlier("load_model")),
  });
}
