/** A fork has the parent's rows and state up to its checkpoint and resumes to bitwise the same end. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isThere } from "../../../data/file_system.ts";
import { checkpointBefore, forkRun } from "../../../workflows/repair/fork.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { fakeRun, rowsOnDisk, withFolder } from "../engine/fake_runs.ts";
import { fakePlan } from "../engine/fake_steps.ts";
import { same } from "../../same.ts";

const TEXT = `
name: forked
checkpoint: { every: 2, keep: 9 }
steps:
  - uses: load_prompts
  - uses: load_model
  - repeat: 8
    steps:
      - uses: sample_groups
      - uses: apply_update
`;

Deno.test("forkRun() makes a run that resumes from any checkpoint to the same weights and rows", () =>
  withFolder(async (runs) => {
    const whole = await fakeRun(TEXT, { runs, runId: "whole" });
    const plan = fakePlan(TEXT, { log: [] });
    for (const trainStep of [3, 5, 7]) {
      const point = checkpointBefore(whole.folder, trainStep)!;
      assert.equal(point.trainStep, trainStep - 1);
      assert.match(point.sha256, /^[0-9a-f]{64}$/);
      const id = `fork_${trainStep}`;
      forkRun(whole.folder, point, join(runs, id), id, plan);
      assert.deepEqual(checkpointNames(join(runs, id)), [point.checkpoint]);
      assert.equal(readManifest(join(runs, id)).status, "interrupted");
      const fork = await fakeRun(TEXT, { runs, resume: id });
      assert.equal(fork.status, "ok", fork.reason ?? "");
      same(fork.hooks.policy!.weights, whole.hooks.policy!.weights);
      same(rowsOnDisk(fork.folder), rowsOnDisk(whole.folder));
      same(rowsOnDisk(whole.folder).metrics!.length, 8);
    }
  }));

Deno.test("checkpointBefore() passes over a damaged checkpoint and gives null before the first", () =>
  withFolder(async (runs) => {
    const { folder } = await fakeRun(TEXT, { runs, runId: "whole" });
    assert.equal(checkpointBefore(folder, 2), null);
    assert.equal(checkpointBefore(folder, 100)!.trainStep, 8);
    const [name] = checkpointNames(folder).slice(-1);
    Deno.writeTextFileSync(join(folder, "checkpoints", name!, "state.json"), "{}");
    assert.equal(checkpointBefore(folder, 100)!.trainStep, 6);
  }));

Deno.test("forkRun() has the images of the prompts that it goes on with", () =>
  withFolder(async (runs) => {
    const { folder } = await fakeRun(TEXT, { runs, runId: "whole" });
    const id = `${"0".repeat(32)}-2x2.png`, fork = join(runs, "fork");
    const at = checkpointBefore(folder, 5)!,
      make = () => forkRun(folder, at, fork, "fork", fakePlan(TEXT, { log: [] }));
    make();
    assert(!isThere(join(fork, "images")), "none where there are none");
    Deno.mkdirSync(join(folder, "images"));
    Deno.writeTextFileSync(join(folder, "images", id), "pixels");
    make();
    assert.equal(Deno.readTextFileSync(join(fork, "images", id)), "pixels");
    Deno.removeSync(folder, { recursive: true });
    assert.equal(Deno.readTextFileSync(join(fork, "images", id)), "pixels");
  }));
