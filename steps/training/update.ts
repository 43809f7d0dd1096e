/** One update of a model: the gradient of a batch, the optimizer's step, and where the numbers broke if they did. @module */
import type { ColumnTable } from "arquero";
import { tableOfRows } from "../../data/tables/mod.ts";
import type { RowOf } from "../../data/tables/row_of.ts";
import { ROLLOUT_METRICS, type RolloutMetric } from "../../gpu/losses/mod.ts";
import type { LanguageModel, TrainBatch, TrainResult, TrainSettings } from "../../gpu/language_model.ts";
import { locateNonFinite } from "./locate_non_finite.ts";
import { adamwAt, type OptimizerParams } from "./optimizer_params.ts";
import { ratioHistogram } from "./ratio_histogram.ts";
import { updateSize } from "./update_size.ts";

/** What a row of the table `updates` holds; null where a loss has no such number. */
export const UPDATE_COLUMNS = [
  "train_step",
  "update",
  "loss",
  "grad_norm",
  ...ROLLOUT_METRICS,
  "ratio_histogram",
  "entropy",
  "entropy_coef",
  "learning_rate",
  "update_size",
  "relative_update",
  "applied",
] as const satisfies readonly (keyof RowOf<"updates">)[];

type UpdateColumn = (typeof UPDATE_COLUMNS)[number];
export type UpdateRow = Readonly<Record<UpdateColumn, number | boolean | null | readonly number[]>>;

export interface UpdateRequest {
  readonly batch: TrainBatch;
  /** Further batches of the same update, whose gradients are added; `settings.totals` counts them all. */
  readonly more?: readonly TrainBatch[];
  readonly settings: TrainSettings;
  readonly optimizer: OptimizerParams;
  readonly trainStep: number;
  /** Which update of the optimizer's schedule this is, from 1. */
  readonly number: number;
  /** Weight of the entropy, where it follows a target. */
  readonly entropyCoef?: number | null;
  /** The updates before it in this train step. */
  readonly earlier?: readonly UpdateRow[];
}

export interface Update {
  readonly result: TrainResult;
  readonly row: UpdateRow;
  /**
   * Which value was the first that is not finite, as a sentence and as rows of the table `messages`, at a train step's
   * first update that is not applied; else null.
   */
  readonly nonFinite: { readonly text: string; readonly table: ColumnTable } | null;
}

/**
 * Updates a model by one batch. Where loss or gradient is not finite nothing changes: the first time in a train step the
 * batch is computed again, to say which value was the first.
 */
export async function makeUpdate(
  model: LanguageModel,
  { batch, more = [], settings, optimizer, trainStep, number, entropyCoef = null, earlier = [] }: UpdateRequest,
): Promise<Update> {
  model.setOptimizerState(optimizer.optimizer_state);
  const drawn = (part: number) => ({ ...settings, draws: { trainStep, update: earlier.length + 1, part } });
  const results = [await model.accumulateGradient(batch, drawn(0))];
  for (const next of more) results.push(await model.accumulateGradient(next, drawn(results.length)));
  const result = joined(results);
  const metrics = Object.fromEntries(
    ([...ROLLOUT_METRICS, "entropy"] as const).map((name) => [name, result.metrics[name] ?? null]),
  ) as Record<RolloutMetric | "entropy", number | null>;
  const adamw = adamwAt(optimizer, number);
  const applied = await model.applyUpdate(adamw);
  const row = {
    train_step: trainStep,
    update: earlier.length + 1,
    loss: result.loss,
    grad_norm: applied.gradNorm,
    ...metrics,
    ratio_histogram: ratioHistogram([batch, ...more], results),
    entropy_coef: entropyCoef,
    learning_rate: adamw.learningRate,
    ...updateSize(applied, adamw.learningRate, model.trainable.count, adamw.rule),
    applied: applied.applied,
  };
  if (applied.applied || earlier.some((row) => row.applied === false)) return { result, row, nonFinite: null };
  const broken = Math.max(results.findIndex(({ loss }) => !Number.isFinite(loss)), 0);
  const located = [batch, ...more][broken]!;
  return { result, row, nonFinite: await locateNonFinite(model, located, drawn(broken), trainStep) };
}

/** What the batches of one update say together: losses add up, means are over all their tokens. */
function joined(results: readonly TrainResult[]): TrainResult {
  if (results.length === 1) return results[0]!;
  const tokens = results.reduce((sum, result) => sum + result.tokens, 0);
  const mean = (name: string) => {
    const there = results.filter((result) => result.metrics[name] !== null && result.metrics[name] !== undefined);
    const count = there.reduce((sum, result) => sum + result.tokens, 0);
    return there.length === 0
      ? null
      : there.reduce((sum, result) => sum + result.metrics[name]! * result.tokens, 0) / Math.max(count, 1);
  };
  return {
    loss: results.reduce((sum, { loss }) => sum + loss, 0),
    tokens,
    logprobs: results.flatMap(({ logprobs }) => logprobs),
    metrics: Object.fromEntries(Object.keys(results[0]!.metrics).map((name) => [name, mean(name)])),
  };
}

/** The table `updates`. */
export function updatesTable(rows: readonly UpdateRow[]) {
  return tableOfRows("updates", rows.map((row) => Object.fromEntries(UPDATE_COLUMNS.map((name) => [name, row[name]]))));
}
