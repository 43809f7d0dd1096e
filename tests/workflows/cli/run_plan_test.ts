import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../../workflows/cli/command.ts";
import { planFor } from "../../../workflows/cli/run_plan.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";
import { TINY } from "./tiny.ts";

Deno.test("planFor() plans a file with parameters, device, threads and seed from the command line", () =>
  withRuns(async (runs) => {
    const file = join(runs, "tiny.yaml");
    await Deno.writeTextFile(file, TINY);
    const { plans: [plan], resumeId } = await planFor(file, {
      runs,
      param: ["train_steps=4"],
      device: "cpu",
      threads: "2",
      seed: "9",
    });
    assert.equal(resumeId, null);
    assert.deepEqual(plan!.params, { train_steps: 4 });
    const { device, threads, seed } = plan!.settings;
    assert.deepEqual({ device, threads, seed }, { device: "cpu", threads: 2, seed: 9 });
    await assert.rejects(planFor(file, { runs, threads: "0" }), /--threads: it is "0", want a whole number from 1/);
    await assert.rejects(planFor(file, { runs, seed: "x" }), UsageError);
    await assert.rejects(planFor(join(runs, "none.yaml"), { runs }), /there is no file/);
    await assert.rejects(planFor(runs, { runs }), /it is a folder/);
  }));

Deno.test("planFor() gives one plan per cell of a matrix, with its strategy", () =>
  withRuns(async (runs) => {
    const file = join(runs, "tiny.yaml");
    await Deno.writeTextFile(
      file,
      TINY.replace("seed: 3", "seed: 3\nstrategy: { max-parallel: 2, fail-fast: false, matrix: { size: [1, 2] } }"),
    );
    const { plans, strategy } = await planFor(file, { runs });
    assert.deepEqual(plans.map(({ matrix }) => matrix["size"]), [1, 2]);
    assert.deepEqual(strategy, { maxParallel: 2, failFast: false });
  }));

Deno.test("planFor() with --resume plans the workflow in the run's folder", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A);
    await Deno.writeTextFile(join(folder, "workflow.yaml"), TINY);
    const { plans, resumeId } = await planFor(undefined, { runs, resume: "aaaa" });
    assert.equal(resumeId, RUN_A);
    assert.equal(plans[0]!.name, "tiny");
    await assert.rejects(planFor(undefined, { runs, resume: "zzz" }), new RegExp(RUN_B));
  }));
