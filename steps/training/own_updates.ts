/** The loop of steps that train by themselves: a train step is one update, with its rows; a stop goes on after the last. @module */
import { tableOfRows } from "../../data/tables/mod.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { StepContext } from "../step.ts";
import type { OptimizerParams } from "./optimizer_params.ts";
import { refuseNonFinite } from "./refuse_non_finite.ts";
import { makeUpdate, type Update, type UpdateRequest, updatesTable } from "./update.ts";

/** What a step learns from in one update. */
type Lesson = Pick<UpdateRequest, "batch" | "more" | "settings">;

interface OwnUpdates<Learned extends Lesson> {
  readonly model: LanguageModel;
  readonly optimizer: OptimizerParams;
  /** Updates at most. */
  readonly most: number;
  /** Updates between measurements; null: nothing is measured. The last update is measured too. */
  readonly measureEvery: number | null;
  /** What cannot go on without finite numbers, as the message says it. */
  readonly what: string;
  learn(update: number, trainStep: number): Learned | Promise<Learned>;
  /**
   * Its row of `metrics`, and whether it was the last; `ms` is the time of the update.
   *
   * due   it is one after which the model is measured
   */
  tell(
    made: Update,
    learned: Learned,
    at: { readonly update: number; readonly ms: number; readonly due: boolean },
  ): Promise<{ readonly row: Readonly<Record<string, unknown>>; readonly done: boolean }>;
}

/** Makes the updates that are left. Throws a RangeError where loss or gradient of one is not finite. */
export async function ownUpdates<Learned extends Lesson>(
  context: StepContext,
  { model, optimizer, most, measureEvery, what, learn, tell }: OwnUpdates<Learned>,
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
    const { row, done } = await tell(made, learned, { update, ms, due });
    context.write({ metrics: tableOfRows("metrics", [row]), updates: updatesTable([made.row]) });
    refuseNonFinite(context, made, what);
    if (done || update === most) break;
    await context.safePoint(update);
  }
  return { updates: update, loss };
}
