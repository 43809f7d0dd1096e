import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Faults } from "../../../steps/faults/inject.ts";
import type { FaultName } from "../../../steps/faults/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import { type TrainingRun, withRun } from "../contexts/training_run.ts";
import { same } from "../../same.ts";

const MODEL = join(fileURLToPath(new URL("../../models/", import.meta.url)), "warm_addition");

async function load(run: TrainingRun): Promise<Float32Array> {
  await run.run("load_model", { model: MODEL, reference: "copy" });
  return weightsOf(run);
}

function weightsOf(run: TrainingRun): Float32Array {
  const { layout, values } = run.resources.policy!.model.weights;
  return values.download(new Float32Array(layout.size));
}

/** The weights after one step with the fault around it, which does nothing itself. */
async function after(run: TrainingRun, kind: FaultName, uses: string): Promise<Float32Array> {
  const policy = run.resources.policy!;
  await new Faults([{ kind }]).run(uses, {}, run.context("x"), () => ({ resources: { policy } }));
  return weightsOf(run);
}

Deno.test("weight faults change the weights they speak of", () =>
  withRun(async (run) => {
    const before = await load(run);
    run.tables.advance();
    const count = (values: Float32Array, test: (value: number, i: number) => boolean) => values.filter(test).length;
    const nan = await after(run, "nan_weight", "sample_groups");
    assert.equal(count(nan, Number.isNaN), 1);
    run.resources.policy!.model.weights.values.upload(before);
    const infinite = await after(run, "infinite_weight", "sample_groups");
    assert.equal(count(infinite, (value) => value === Infinity), 1);
    run.resources.policy!.model.weights.values.upload(before);
    const shuffled = await after(run, "shuffled_embeddings", "load_model");
    same(shuffled.toSorted(), before.toSorted());
    assert.ok(count(shuffled, (value, i) => value !== before[i]) > 10_000);
    run.resources.policy!.model.weights.values.upload(before);
    const blind = await after(run, "blind_policy", "sample_groups");
    assert.ok(count(blind, (value, i) => value === 0 && before[i] !== 0) >= 2 * 64 * 64 - 64);
    run.resources.policy!.model.weights.values.upload(before);
    const drift = await after(run, "drifting_weights", "sample_groups");
    assert.ok(drift.every((value, i) => (before[i] === 0) === (value === 0)));
    assert.notDeepEqual(drift, before);
  }));

Deno.test("frozen_parameters leaves one norm trainable", () =>
  withRun(async (run) => {
    const faults = new Faults([{ kind: "frozen_parameters" }]);
    const params = STEPS.load_model.params.parse({ model: MODEL });
    const { resources, outputs } = await faults.run(
      "load_model",
      params,
      run.context("load_model"),
      (given, context) => STEPS.load_model.run(given as typeof params, context),
    );
    Object.assign(run.resources, resources);
    assert.equal(outputs!["trainable"], 64);
  }));
