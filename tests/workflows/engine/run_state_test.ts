/** What a running workflow tells and keeps. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOfRows } from "../../../data/tables/mod.ts";
import type { StepEvent } from "../../../steps/step.ts";
import { RunState } from "../../../workflows/engine/run_state.ts";
import { readCheckpointManifest } from "../../../workflows/store/checkpoint.ts";
import { segmentsOf } from "../../../workflows/store/segments.ts";
import { ENVIRONMENT, RECORD, withFolder } from "./fake_runs.ts";
import { fakePlan } from "./fake_steps.ts";

function open(folder: string, best: string) {
  const plan = fakePlan(
    `name: c\ncheckpoint: { every: 2, best: ${best} }\nsteps: [{ uses: fine_tune }]`.replace(
      "[{",
      "[{ uses: load_model }, {",
    ),
    { log: [] },
  );
  const events: StepEvent[] = [];
  const log = { write: (event: StepEvent) => void events.push(event), close() {} };
  const folders = { project: folder, workflow: folder, run: folder };
  return { state: new RunState(plan, ENVIRONMENT, "r", folders, () => RECORD, log), events };
}

Deno.test("endTrainStep() tells the metrics of each train step once, without what is absent", () =>
  withFolder((folder) => {
    const { state, events } = open(folder, "metrics.loss");
    state.endTrainStep();
    state.tables.advance();
    state.write({ metrics: tableOfRows("metrics", [{ loss: 0.5, kl: null }]) }, "a");
    state.endTrainStep();
    state.endTrainStep();
    assert.deepEqual(events, [{ event: "train_step", train_step: 1, loss: 0.5 }]);
  }));

Deno.test("save() measures checkpoint.best in the train step it belongs to", () =>
  withFolder(async (folder) => {
    const { state } = open(folder, "metrics.reward");
    const cursor = { frames: [{ index: 1, round: 0 }], position: 0 };
    state.tables.advance();
    assert.equal(state.isCheckpointDue, false);
    state.tables.advance();
    assert.equal(state.isCheckpointDue, true);
    state.write({ metrics: tableOfRows("metrics", [{ reward: 0.25 }]) }, "a");
    state.write({ updates: tableOfRows("updates", [{ update: 1 }, { update: 2 }]) }, "a");
    assert.equal(await state.save(cursor), "2.2");
    assert.equal(state.isCheckpointDue, false);
    assert.equal(readCheckpointManifest(folder, "2.2").best, 0.25);
    state.tables.advance();
    assert.equal(await state.save(cursor), "3.0");
    assert.equal(readCheckpointManifest(folder, "3.0").best, null);
  }));

Deno.test("spill() stores finished train steps when checkpoints are far apart", () =>
  withFolder((folder) => {
    const { state } = open(folder, "metrics.reward");
    for (let step = 1; step <= 40; step++) {
      state.tables.advance();
      state.write({ completions: tableOfRows("completions", [{ prompt_id: step, sample: 0 }]) }, "a");
      state.spill();
    }
    const stored = segmentsOf(folder, "completions").map(({ first, last }) => [first, last]);
    assert.deepEqual(stored, [[1, 15], [16, 31]]);
    const parts = state.tables.rowsBetween(0, 40).get("completions")!.parts;
    assert.deepEqual([parts[0]!.trainStep, parts.at(-1)!.trainStep], [17, 40]);
    assert.equal(state.tables.history("completions", 1000).numRows(), 16);
  }));

Deno.test("a long run holds a window of rows, checkpoints stay small, and history() still has every row", () =>
  withFolder(async (folder) => {
    const steps = 1300, sizes: number[] = [];
    const { state } = open(folder, "metrics.loss");
    for (let step = 1; step <= steps; step++) {
      state.tables.advance();
      state.write({
        groups: tableOfRows("groups", [{ prompt_id: 0, reward: step }]),
        gradients: tableOfRows("gradients", [{ parameter: "a", grad_norm: step }]),
      }, "a");
      state.spill();
      if (step % 650 !== 0) continue;
      const name = await state.save({ frames: [{ index: 1, round: 0 }], position: 0 });
      sizes.push(Deno.statSync(join(folder, "checkpoints", name!, "checkpoint.json")).size);
    }
    const held = (table: "groups" | "gradients") => state.tables.rowsBetween(0, steps).get(table)!.table.numRows();
    assert.deepEqual([held("groups"), held("gradients")], [1024, 128]);
    assert.ok(Math.abs(sizes[1]! - sizes[0]!) <= 8, `checkpoint.json: ${sizes} bytes`);
    const rewards = (window: number) => Array.from(state.tables.history("groups", window).array("reward") as number[]);
    const all = Array.from({ length: steps }, (_, i) => i + 1);
    assert.deepEqual(rewards(Number.MAX_SAFE_INTEGER), all);
    assert.deepEqual(rewards(1100), all.slice(-1100));
    assert.deepEqual(rewards(128), all.slice(-128));
    assert.equal(state.tables.history("gradients", 500).numRows(), 500);
  }));
