/** The step `update_critic`: values move towards the returns of the rollout. @module */
import { z } from "zod";
import { columnArray } from "../data/tables/mod.ts";
import { type Aggregation, AGGREGATIONS } from "../gpu/losses/aggregations.ts";
import type { TrainSettings } from "../gpu/language_model.ts";
import { CRITIC_COLUMNS, criticMetrics, type CriticUpdate } from "./metrics/critic_metrics.ts";
import { metricsRow, ROW_READS } from "./metrics/metrics_row.ts";
import { SETTING_COLUMNS, settingValues, writeSettings } from "./options/settings_table.ts";
import type { SampleGroups } from "./sample_groups.ts";
import { defineStep, type StepContext } from "./step.ts";
import { completionColumn, completionSequences } from "./training/completion_rows.ts";
import { MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { passLimits } from "./training/pass_options.ts";
import {
  requireSlices,
  ROLLOUT_UPDATE_PARAMS,
  rolloutUpdateCost,
  rolloutUpdateProblems,
  sliceOf,
} from "./training/rollout_updates.ts";
import { makeUpdate, type UpdateRow } from "./training/update.ts";

const params = z.strictObject({
  value_clip: z.number().positive().nullable().default(0.5).describe(
    "how far a value may move from that of compute_values before the further error counts; null: no bound",
  ),
  aggregation: z.enum(Object.keys(AGGREGATIONS) as [Aggregation, ...Aggregation[]]).default("token_mean").describe(
    "how losses of tokens become one number",
  ),
  ...ROLLOUT_UPDATE_PARAMS,
  ...OPTIMIZER_PARAMS,
});

type Params = z.output<typeof params>;

const WHAT = "update the critic";

export const updateCritic = defineStep({
  about: "Update the critic towards the returns of the rollout",
  params,
  reads: {
    completions: [
      "prompt_id",
      "sample",
      "prompt",
      "token_ids",
      "completion_mask",
      "values",
      "returns",
      { column: "reward", optional: true },
    ],
    metrics: ROW_READS,
    settings: [{ column: "name", optional: true }, { column: "value", optional: true }],
  },
  writes: {
    metrics: ["train_step", "phase", "step_id", ...CRITIC_COLUMNS],
    settings: SETTING_COLUMNS,
    messages: MESSAGE_COLUMNS,
  },
  needs: ["policy", "critic"],
  cost: (given, facts) =>
    // Without logits.
    rolloutUpdateCost(given, { ...facts, adapter: null, config: { ...facts.config, vocabSize: 0 } }, {
      what: "a critic's update",
      sampled: facts.earlier("sample_groups") as SampleGroups | null,
    }),
  outputs: z.object({
    value_loss: z.number().nullable().describe("loss of the first update, squared units of the reward"),
    explained_variance: z.number().nullable().describe("share of the returns' variance that the values foretold"),
    updates: z.int().describe("updates applied"),
  }),
  check: (given) => [...optimizerProblems(given), ...rolloutUpdateProblems(given)],
  async run(given, context) {
    const batch = readBatch(context, given.minibatches);
    writeSettings(context, {
      critic_learning_rate: given.learning_rate,
      value_clip: given.value_clip,
      critic_updates_per_rollout: given.updates_per_rollout,
      critic_minibatches: given.minibatches,
      critic_max_grad_norm: given.max_grad_norm,
    });
    const updates = await makeUpdates(given, context, batch);
    const metrics = criticMetrics(batch, updates);
    return {
      tables: { metrics: metricsRow(context, metrics) },
      outputs: {
        value_loss: finite(updates[0]!.loss),
        explained_variance: finite(metrics.value_explained_variance),
        updates: updates.filter(({ applied }) => applied).length,
      },
    };
  },
});

const finite = (value: number | null) => value !== null && Number.isFinite(value) ? value : null;

type Rows = readonly ArrayLike<number>[];

/** The rollout as the value loss reads it; every list has a number per token of its completion. */
function readBatch(context: StepContext, minibatches: number) {
  const table = context.table("completions");
  if (!table.numRows()) throw new RangeError(`Cannot ${WHAT}: table "completions" has no row of this train step`);
  const lists = (name: string, before: string): Rows =>
    completionColumn<ArrayLike<number>>(table, name, { what: WHAT, before });
  const values = lists("values", "compute_values");
  const returns = lists("returns", "compute_advantages with estimator gae");
  const rewards = table.column("reward") ? columnArray(table, "reward") as ArrayLike<number | null> : null;
  // A completion without a reward has no return to learn: what stands in its place is its own value.
  const masks = lists("completion_mask", "sample_groups").map((mask, row) =>
    rewards?.[row] === null ? new Float32Array(mask.length) : mask
  );
  const sequences = completionSequences(table, context.resource("policy"));
  requireSlices(sequences.prompts.length, minibatches);
  const most = settingValues(context.table("settings")).get("max_new_tokens");
  refuseNothing(masks);
  refuseNonFinite(returns, masks);
  const longest = Math.max(...masks.map(({ length }) => length));
  return { ...sequences, values, returns, masks, maxNewTokens: typeof most === "number" ? most : longest };
}

function refuseNothing(masks: Rows): void {
  if (masks.some((mask) => Array.prototype.some.call(mask, (counts) => counts > 0))) return;
  throw new RangeError(
    `Cannot ${WHAT}: no token of the rollout counts, want completion_mask 1 on some; look at sample_groups`,
  );
}

function refuseNonFinite(returns: Rows, masks: Rows): void {
  for (const [row, list] of returns.entries()) {
    for (let t = 0; t < list.length; t++) {
      if (!masks[row]![t] || Number.isFinite(list[t])) continue;
      throw new RangeError(
        `Cannot ${WHAT}: the return of completion ${row} is ${list[t]} at token ${t}, want a finite number; look at ` +
          `the rewards and at the log-probs of the reference`,
      );
    }
  }
}

type Batch = ReturnType<typeof readBatch>;

/** Slice `part` of the rollout with what its loss reads. */
function lessonOf(batch: Batch, part: number, parts: number) {
  const { values, returns, masks } = batch, { sequences, cut } = sliceOf(batch, part, parts);
  return { ...sequences, completionMask: cut(masks), inputs: { returns: cut(returns), old_values: cut(values) } };
}

/** All updates of the rollout, slice by slice; rows without a token that counts are left out of a mean over rows. */
async function makeUpdates(given: Params, context: StepContext, batch: Batch): Promise<CriticUpdate[]> {
  const critic = context.resource("critic"), made: CriticUpdate[] = [], earlier: UpdateRow[] = [];
  for (let update = 0; update < given.updates_per_rollout; update++) {
    const slice = lessonOf(batch, update % given.minibatches, given.minibatches);
    const { result, row, nonFinite } = await makeUpdate(critic.model, {
      batch: slice,
      settings: settingsOf(given, slice.completionMask, batch),
      optimizer: given,
      trainStep: context.trainStep,
      number: await critic.updates() + 1,
      earlier,
    });
    earlier.push(row);
    if (nonFinite !== null) {
      const text = `Update ${update + 1} of the critic is not applied. First non-finite: ${nonFinite.text}`;
      context.emit({ event: "message", text });
      context.write({ messages: nonFinite.table });
    }
    made.push({
      loss: result.loss,
      gradNorm: row.grad_norm as number,
      clipFraction: result.metrics["value_clip_fraction"] ?? null,
      learningRate: row.learning_rate as number,
      applied: row.applied as boolean,
    });
  }
  return made;
}

/** How many tokens of a completion count. */
const tokensOf = (mask: ArrayLike<number>) =>
  Array.prototype.reduce.call(mask, (a, b) => (a as number) + b, 0) as number;

function settingsOf(given: Params, masks: Rows, batch: Batch): TrainSettings {
  return {
    loss: { objective: "value", clip: given.value_clip },
    aggregation: given.aggregation,
    totals: {
      sequences: masks.filter((mask) => tokensOf(mask) > 0).length,
      rolloutTokens: batch.masks.reduce((sum, mask) => sum + tokensOf(mask), 0),
      updates: given.minibatches,
      norm: batch.maxNewTokens,
    },
    temperature: 1,
    ...passLimits(given),
  };
}
