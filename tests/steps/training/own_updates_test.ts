import assert from "node:assert/strict";
import { z } from "zod";
import { OPTIMIZER_PARAMS } from "../../../steps/training/optimizer_params.ts";
import { ownUpdates } from "../../../steps/training/own_updates.ts";
import { ONE_LAYER, type RunOptions, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const optimizer = z.strictObject(OPTIMIZER_PARAMS).parse({ learning_rate: 1e-3, warmup_updates: 8 });
const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;

/** Runs the loop on one row again and again; what it was told after each update. */
async function loop(run: TrainingRun, given: { most: number; enough?: number } & RunOptions) {
  const told: [update: number, due: boolean][] = [];
  const batch = {
    prompts: [run.policy.encodePrompt("1+2=", 0)],
    group: 1,
    completions: [run.policy.encodeAnswer("3")],
  };
  const result = await ownUpdates(run.context("own", given), {
    model: run.policy.model,
    optimizer,
    most: given.most,
    measureEvery: 2,
    what: "with the test",
    learn: (update, trainStep) => ({ batch, settings, seen: [update, trainStep] }),
    tell(made, { seen: [update, trainStep] }, { update: at, due }) {
      told.push([at, due]);
      assert.deepEqual([update, trainStep], [at, made.row.train_step]);
      return Promise.resolve({ row: { phase: "sft", loss: made.result.loss }, done: update === given.enough });
    },
  });
  return { ...result, told };
}
const history = (run: TrainingRun, table: "metrics" | "updates") =>
  run.tables.history(table, 99).objects() as Record<string, number>[];

Deno.test("ownUpdates() writes the rows of each update, a train step each, and measures every so often and at the end", () =>
  withTinyPolicy(async (run) => {
    const reached: unknown[] = [];
    const { updates, loss, told } = await loop(run, { most: 5, safePoint: (position) => void reached.push(position) });
    assert.deepEqual(told, [[1, false], [2, true], [3, false], [4, true], [5, true]]);
    assert.deepEqual([updates, loss], [5, history(run, "metrics").at(-1)!["loss"]]);
    assert.deepEqual(history(run, "updates").map(({ train_step }) => train_step), [1, 2, 3, 4, 5]);
    const rates = history(run, "updates").map(({ learning_rate }) =>
      learning_rate! / history(run, "updates")[0]!["learning_rate"]!
    );
    rates.forEach((rate, i) => assert(Math.abs(rate - (i + 1)) < 1e-9, `${rates}`));
    assert.deepEqual(reached, [1, 2, 3, 4]);
  }, ONE_LAYER));

Deno.test("ownUpdates() goes on after the position of a stop, and ends where it is told that it is enough", () =>
  withTinyPolicy(async (run) => {
    const { updates, told } = await loop(run, { most: 9, position: 3, enough: 5 });
    assert.deepEqual([updates, told.map(([update]) => update)], [5, [4, 5]]);
    assert.deepEqual(await loop(run, { most: 5, position: 5 }), { updates: 5, loss: null, told: [] });
  }, ONE_LAYER));

Deno.test("ownUpdates() writes the rows of an update that is not finite, and ends there", () =>
  withTinyPolicy(async (run) => {
    const { values } = run.policy.model.weights, broken = run.weights();
    values.upload(broken.fill(NaN));
    await assert.rejects(
      loop(run, { most: 5 }),
      /Cannot go on with the test: loss NaN .* at train step 1, want finite/,
    );
    assert.deepEqual(history(run, "updates").map(({ applied }) => applied), [false]);
    assert.equal(history(run, "metrics").length, 1);
    assert(run.tables.table("messages").numRows() > 0);
  }, ONE_LAYER));
