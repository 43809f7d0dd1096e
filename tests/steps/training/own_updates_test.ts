import assert from "node:assert/strict";
import { z } from "zod";
import { OPTIMIZER_PARAMS } from "../../../steps/training/optimizer_params.ts";
import { OWN_COLUMNS, ownUpdates } from "../../../steps/training/own_updates.ts";
import { ONE_LAYER, type RunOptions, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const optimizer = z.strictObject(OPTIMIZER_PARAMS).parse({ learning_rate: 1e-3, warmup_updates: 8 });
const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;

/** Runs the loop on one row again and again; what it was told after each update. */
async function loop(run: TrainingRun, given: { most: number; enough?: number; tokens?: number } & RunOptions) {
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
    phase: "sft",
    what: "with the test",
    learn: (update, trainStep) => ({ batch, settings, tokens: given.tokens, seen: [update, trainStep] }),
    tell(made, { seen: [update, trainStep] }, { update: at, due }) {
      told.push([at, due]);
      assert.deepEqual([update, trainStep], [at, made.row.train_step]);
      return Promise.resolve({ row: { entropy: made.row.entropy }, done: update === given.enough });
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

Deno.test("ownUpdates() tells of each update what makeUpdate() made, its time, and tokens per second", () =>
  withTinyPolicy(async (run) => {
    for (const tokens of [undefined, 700]) {
      await loop(run, { most: 2, ...(tokens ? { tokens } : {}) });
      const updates = history(run, "updates").slice(-2), rows = history(run, "metrics").slice(-2);
      rows.forEach((row, i) => {
        const shared = [
          "train_step",
          "loss",
          "grad_norm",
          "learning_rate",
          "update_size",
          "relative_update",
          "entropy",
        ];
        for (const name of shared) assert.equal(row[name], updates[i]![name], name);
        assert.deepEqual([row["phase"], row["step_id"], row["non_finite"]], ["sft", "own", 0]);
        assert(row["step_ms"]! > 0 && row["update_ms"] === row["step_ms"]);
        // "3" and its end.
        const counted = row["tokens_per_second"]! * row["step_ms"]! / 1000;
        assert(Math.abs(counted - (tokens ?? 2)) < 1e-6, `${counted} of ${tokens}`);
        assert(OWN_COLUMNS.every((name) => row[name] !== null && row[name] !== undefined));
      });
    }
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
