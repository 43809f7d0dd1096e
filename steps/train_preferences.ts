/** The step `train_preferences`: DPO on pairs, KTO on labelled completions, against a reference. @module */
import { z } from "zod";
import type { TrainSettings } from "../gpu/language_model.ts";
import { objectiveOf } from "../gpu/losses/mod.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { supervisedCost } from "./cost/supervised_cost.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { klOf, labelledBatch, type Logprobs, mismatched, pairBatch, type Part } from "./preferences/batches.ts";
import { type Example, readExamples } from "./preferences/examples.ts";
import { batchesOf, type Loop, loopOf, requireBothClasses } from "./preferences/loop.ts";
import { isOfPairs, LOSS_OPTIONS, lossOf, lossProblems, lossSettings } from "./preferences/loss_options.ts";
import { METRIC_COLUMNS, preferenceRow } from "./preferences/metrics_row.ts";
import { askedReference, keptReference, type Reference } from "./preferences/references.ts";
import { measure, type Measured } from "./preferences/validation.ts";
import { defineStep, type StepContext } from "./step.ts";
import { MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { PASS_PARAMS, passLimits } from "./training/pass_options.ts";
import { OWN_COLUMNS, ownUpdates } from "./training/own_updates.ts";
import { UPDATE_COLUMNS } from "./training/update.ts";

const params = z.strictObject({
  ...LOSS_OPTIONS,
  max_updates: z.int().min(1).describe("updates at most"),
  epochs: z.int().min(1).optional().describe("passes over the train rows at most; until max_updates if absent"),
  batch_size: z.int().min(1).default(16).describe("pairs or completions per gradient; KTO takes its KL from them"),
  gradient_accumulation: z.int().min(1).default(1).describe("gradients that are added to one update"),
  shuffle: z.boolean().default(false).describe("another order of the rows in each epoch, drawn by the seed"),
  precompute_reference: z.boolean().default(true).describe(
    "compute the reference's log-probs of all rows once and keep them in the table; else with every update",
  ),
  max_length: z.int().min(2).optional().describe(
    "tokens of prompt and completion; the rest of a completion is cut off",
  ),
  check_data: z.boolean().default(true).describe(
    "refuse data with nothing to learn: equal pairs, a class that is missing",
  ),
  ...PASS_PARAMS,
  evaluate_every: z.int().min(1).optional().describe("updates between measurements on the split validation"),
  evaluate_limit: z.int().min(1).default(256).describe("validation rows per measurement"),
  ...OPTIMIZER_PARAMS,
});

type Params = z.output<typeof params>;

/** Log-probs are taken without temperature, as in TRL; a pair or completion counts as one, however long. */
const WITHOUT = { aggregation: "token_mean", temperature: 1 } as const;

export const trainPreferences = defineStep({
  about: "Train the policy on preferences: DPO on pairs, KTO on labelled completions",
  params,
  reads: {
    preferences: [
      "prompt",
      "split",
      { column: "chosen", param: "loss", when: isOfPairs },
      { column: "rejected", param: "loss", when: isOfPairs },
      { column: "completion", param: "loss", when: (given) => !isOfPairs(given) },
      { column: "label", param: "loss", when: (given) => !isOfPairs(given) },
    ],
  },
  writes: {
    preferences: [
      "preference_id",
      ...(["chosen_ref_logprobs", "rejected_ref_logprobs"] as const).map((column) => ({
        column,
        only: "for pairs, with precompute_reference",
        when: (given: Params) => isOfPairs(given) && keepsReference(given),
      })),
      {
        column: "ref_logprobs",
        only: "for labelled completions, with precompute_reference",
        when: (given) => !isOfPairs(given) && keepsReference(given),
      },
      {
        column: "mismatched_ref_logprobs",
        only: "for loss kto, with precompute_reference and without shuffle",
        when: (given) => given.loss === "kto" && keepsReference(given) && !given.shuffle,
      },
    ],
    metrics: [...OWN_COLUMNS, ...METRIC_COLUMNS],
    updates: UPDATE_COLUMNS,
    settings: SETTING_COLUMNS,
    messages: MESSAGE_COLUMNS,
  },
  needs: ["policy", "reference", "optimizer"],
  setup: true,
  trains: ({ max_updates }) => ({ updates: max_updates }),
  cost: preferenceCost,
  outputs: z.object({
    updates: z.int().describe("updates applied"),
    epochs: z.number().describe("passes over the train rows"),
    loss: z.number().nullable().describe("loss of the last update"),
    accuracy: z.number().nullable().describe("validation_accuracy as last measured"),
    margin: z.number().nullable().describe("validation_margin as last measured"),
  }),
  check(given) {
    const problems = [...optimizerProblems(given), ...lossProblems(given)];
    if (given.loss === "kto" && given.batch_size < 2) {
      problems.push(
        "Cannot take KTO's KL from a batch of 1: its mismatched pair would be the row itself, want batch_size of at least 2",
      );
    }
    const { batch_size, prompts_per_pass: most = batch_size } = given, loss = lossOf(given);
    if (most < batch_size && objectiveOf(loss).wholeBatch?.(loss)) {
      problems.push(
        `Cannot cut a batch of ${batch_size} into passes of ${most}: this loss needs all of it at once; leave ` +
          "prompts_per_pass out, or lower batch_size",
      );
    }
    const unread = (names: ("evaluate_limit" | "precompute_reference")[], why: string) =>
      problems.push(...withoutEffect(given, params.shape, names, why));
    if (given.evaluate_every === undefined) unread(["evaluate_limit"], "there is no evaluate_every");
    if (given.reference_free) unread(["precompute_reference"], "reference_free is true, so that no reference is asked");
    return problems;
  },
  async run(given, context) {
    const policy = context.resource("policy"), optimizer = context.resource("optimizer"), pairs = isOfPairs(given);
    const options = { pairs, maxLength: given.max_length ?? null, checkData: given.check_data };
    const train = readExamples(context, policy, "train", options);
    const loop = loopOf(train.length, given.batch_size, given.gradient_accumulation, given.shuffle);
    const validation = given.evaluate_every === undefined
      ? []
      : readExamples(context, policy, "validation", { ...options, checkData: false }).slice(0, given.evaluate_limit);
    if (given.evaluate_every !== undefined && validation.length === 0) {
      throw new RangeError('Cannot measure on validation: table "preferences" has no row of split "validation"');
    }
    if (given.loss === "kto_vanilla") requireBothClasses(train, loop, context.seed);
    await optimizer.begin(context.stepId);
    writeSettings(context, { ...settingsOf(given, train), validation_rows: validation.length });
    const logprobs: Logprobs = (sequences) => policy.logprobs(sequences, 1);
    const last = given.epochs === undefined
      ? given.max_updates
      : Math.min(given.max_updates, given.epochs * loop.updatesPerEpoch);
    const reference = await referenceOf(given, context, train, validation, { ...loop, last });
    let measured = null as Measured | null;
    const { updates, loss } = await ownUpdates(context, {
      model: policy.model,
      optimizer: given,
      most: last,
      measureEvery: given.evaluate_every ?? null,
      phase: "preference",
      what: "training on preferences",
      async learn(update) {
        const batches = batchesOf(train, update, loop, context.seed), parts: Part[] = [];
        for (const batch of batches) parts.push(await partOf(given, batch, reference, logprobs));
        const [first, ...more] = parts.map(({ batch }) => batch);
        return { batch: first!, more, settings: settingsFor(given, batches), parts };
      },
      async tell(made, { parts }, { update, due }) {
        if (due) measured = await measure(validation, logprobs, reference, given);
        const row = preferenceRow(made, parts, {
          beta: given.beta,
          ldAlpha: given.ld_alpha ?? null,
          epoch: update / loop.updatesPerEpoch,
          measured: due ? measured : null,
        });
        return { row, done: false };
      },
    });
    return {
      outputs: {
        updates,
        epochs: updates / loop.updatesPerEpoch,
        loss,
        accuracy: measured?.accuracy ?? null,
        margin: measured?.margin ?? null,
      },
    };
  },
});

function keepsReference({ precompute_reference, reference_free }: Params): boolean {
  return precompute_reference && !reference_free;
}

/** Where the reference's log-probs come from, those kept of rows that an update up to the last reads; null where the loss reads none. */
async function referenceOf(
  given: Params,
  context: StepContext,
  train: readonly Example[],
  validation: readonly Example[],
  loop: Loop & { readonly last: number },
): Promise<Reference | null> {
  if (given.reference_free) return null;
  const resource = context.resource("reference"), isKto = given.loss === "kto";
  if (!resource.exists) {
    throw new TypeError(
      `Cannot train with loss ${given.loss}: it compares with a reference and the reference is none; set reference of ` +
        `load_model${given.loss === "dpo" ? ", or reference_free: true" : ""}`,
    );
  }
  resource.model(); // a copy is made before the first update
  const logprobs: Logprobs = (sequences) => resource.logprobs(sequences, 1);
  if (!given.precompute_reference) return askedReference(logprobs);
  const { updatesPerEpoch, last } = loop;
  const batches = Array.from(
    { length: Math.min(updatesPerEpoch, last) },
    (_, u) => batchesOf(train, u + 1, loop, context.seed),
  ).flat();
  const read = last < updatesPerEpoch ? batches.flat() : train;
  const kept = await keptReference(context, [...read, ...validation], logprobs, {
    klBatches: isKto && !loop.shuffle ? batches : null,
    pairs: isOfPairs(given),
  });
  // In another order the mismatched pairs are others: those are asked for with every batch.
  return isKto && loop.shuffle
    ? async (batch, wantsKl) => ({
      own: (await kept(batch, false)).own,
      mismatched: wantsKl ? await logprobs(mismatched(batch)) : null,
    })
    : kept;
}

async function partOf(
  given: Params,
  examples: readonly Example[],
  reference: Reference | null,
  logprobs: Logprobs,
): Promise<Part> {
  const wantsKl = given.loss === "kto";
  const theirs = await reference?.(examples, wantsKl) ?? { own: null, mismatched: null };
  if (isOfPairs(given)) return { examples, batch: pairBatch(examples, theirs), kl: null };
  const kl = wantsKl ? await klOf(examples, logprobs, theirs.mismatched!) : null;
  return { examples, batch: labelledBatch(examples, theirs, kl), kl };
}

function settingsFor(given: Params, batches: readonly (readonly Example[])[]): TrainSettings {
  const completions = batches.flat().reduce((sum, { completions }) => sum + completions.length, 0);
  return {
    ...WITHOUT,
    loss: lossOf(given),
    totals: { sequences: completions },
    ...passLimits(given),
  };
}

/** The options in force, and how many rows of each class there are. */
function settingsOf(given: Params, train: readonly Example[]) {
  const desirable = train.filter(({ label }) => label === 1).length;
  const classes = { desirable_completions: desirable, undesirable_completions: train.length - desirable };
  return {
    ...lossSettings(given),
    ...(isOfPairs(given) ? { reference_free: given.reference_free } : classes),
    learning_rate: given.learning_rate,
    device_batch_size: given.batch_size,
    gradient_accumulation_steps: given.gradient_accumulation,
    max_grad_norm: given.max_grad_norm,
    epsilon: given.epsilon,
  };
}

/** Completions per prompt that the reference, and then the policy for KTO's KL, read before an update. */
function readBefore(given: Params): readonly number[] {
  const isKto = given.loss === "kto";
  const reference = given.reference_free ? [] : [isOfPairs(given) || isKto && !given.precompute_reference ? 2 : 1];
  return isKto ? [...reference, 1] : reference;
}

function preferenceCost(given: Params, facts: CostFacts): Cost {
  const pairs = isOfPairs(given);
  return supervisedCost(given, facts, {
    name: "train_preferences",
    rows: pairs ? "pairs" : "completions",
    group: pairs ? 2 : 1,
    longest: facts.preferences ?? facts,
    readBefore: readBefore(given),
  });
}
