/** The loop of steps that train by themselves: a train step is one update, with its rows; a stop goes on after the last. @module */
import { tableOfRows } from "../../data/tables/mod.ts";
import type { RowOf } from "../../data/tables/row_of.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { StepContext } from "../step.ts";
import type { OptimizerParams } from "./optimizer_params.ts";
import { refuseNonFinite } from "./refuse_non_finite.ts";
import { makeUpdate, type Update, type UpdateRequest, updatesTable } from "./update.ts";

/** What the loop itself says of each update in the table `metrics`. */
export const OWN_COLUMNS = [
  "train_step",
  "phase",
  "step_id",
  "loss",
  "grad_norm",
  "learning_rate",
  "update_size",
  "relative_update",
  "non_finite",
  "tokens_per_second",
  "step_ms",
  "update_ms",
] as const satisfies readonly (keyof RowOf<"metrics">)[];

/** What a step learns from in one update. */
interface Lesson extends Pick<UpdateRequest, "batch" | "more" | "settings"> {
  /** Completion tokens, where those that count in the loss are others. */
  readonly tokens?: number;
}

interface OwnUpdates<Learned extends Lesson> {
  readonly model: LanguageModel;
  readonly optimizer: OptimizerParams;
  /** Updates at most. */
  readonly most: number;
  /** Updates between measurements; null: nothing is measured. The last update is measured too. */
  readonly measureEvery: number | null;
  readonly phase: "sft" | "preference" | "reward_model";
  /** What cannot go on without finite numbers, as the message says it. */
  readonly what: string;
  learn(update: number, trainStep: number): Learned | Promise<Learned>;
  /**
   * What else its row of `metrics` holds, and whether it was the last.
   *
   * due   it is one after which the model is measured
   */
  tell(
    made: Update,
    learned: Learned,
    at: { readonly update: number; readonly due: boolean },
  ): Promise<{ readonly row: Readonly<Record<string, unknown>>; readonly done: boolean }>;
}

/** Makes the updates that are left. Throws a RangeError where loss or gradient of one is not finite. */
export async function ownUpdates<Learned extends Lesson>(
  context: StepContext,
  { model, optimizer, most, measureEvery, phase, what, learn, tell }: OwnUpdates<Learned>,
): Promise<{ readonly updates: number; readonly loss: number | null }> {
  let loss: number | null = null, update = context.position;
  while (update < most) {
    update++;
    const trainStep = context.advance(), started = performance.now(), learned = await learn(update, trainStep);
    const { batch, more = [], settings } = learned;
    const made = await makeUpdate(model, { batch, more, settings, optimizer, trainStep, number: update });
    const ms = performance.now() - started,
      due = measureEvery !== null && (update % measureEvery === 0 || update === most);
    loss = made.result.loss;
    const { row, done } = await tell(made, learned, { update, due });
    const own = ownRow(context, made, learned.tokens ?? made.result.tokens, ms);
    context.write({ metrics: tableOfRows("metrics", [{ ...own, phase, ...row }]), updates: updatesTable([made.row]) });
    refuseNonFinite(context, made, what);
    if (done || update === most) break;
    await context.safePoint(update);
  }
  return { updates: update, loss };
}

function ownRow({ stepId }: StepContext, { row }: Update, tokens: number, ms: number) {
  return {
    train_step: row.train_step,
    step_id: stepId,
    loss: row.loss,
    grad_norm: row.grad_norm,
    learning_rate: row.learning_rate,
    update_size: row.update_size,
    relative_update: row.relative_update,
    non_finite: row.applied ? 0 : 1,
    tokens_per_second: ms > 0 ? 1000 * tokens / ms : null,
    step_ms: ms,
    update_ms: ms,
  } satisfies Record<Exclude<(typeof OWN_COLUMNS)[number], "phase">, unknown>;
}
