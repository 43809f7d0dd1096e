import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { planFor } from "../../../workflows/cli/run_words.ts";
import { writeCheckpoint } from "../../../workflows/store/checkpoint.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { inProcess } from "./in_process.ts";
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
    assert.deepEqual(strategy, { maxParallel: 2, failFast: false, halving: null, seeds: [] });
  }));

Deno.test("a failed run of a matrix keeps others from starting, unless they are compared or the file says so", () =>
  withRuns(async (runs) => {
    const file = join(runs, "tiny.yaml"), halving = "halving: { metric: metrics.reward, first: 2 }, ";
    const failFast = async (more: string) => {
      const strategy = `strategy: { ${more}matrix: { size: [1, 2] } }`;
      await Deno.writeTextFile(file, TINY.replace("seed: 3", `seed: 3\n${strategy}`));
      return (await planFor(file, { runs })).strategy.failFast;
    };
    assert.equal(await failFast(""), true);
    assert.equal(await failFast(halving), false);
    assert.equal(await failFast(`${halving}fail-fast: true, `), true);
  }));

Deno.test("planFor() with --resume knows which cell of a matrix the run was: its own file has none", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { matrix: { size: 2 } });
    await Deno.writeTextFile(join(folder, "workflow.yaml"), TINY);
    assert.deepEqual((await planFor(undefined, { runs, resume: RUN_A })).plans.map(({ matrix }) => matrix), [{
      size: 2,
    }]);
  }));

Deno.test("planFor() with --resume and the file of a matrix plans the cell that the run was", () =>
  withRuns(async (runs) => {
    const file = join(runs, "tiny.yaml");
    await Deno.writeTextFile(file, TINY.replace("seed: 3", "seed: 3\nstrategy: { matrix: { size: [1, 2] } }"));
    const resume = async (matrix: { size: number }) => {
      fabricateRun(runs, RUN_A, { matrix, params: {} });
      return (await planFor(file, { runs, resume: RUN_A })).plans.map((plan) => plan.matrix);
    };
    assert.deepEqual(await resume({ size: 2 }), [{ size: 2 }]);
    await assert.rejects(resume({ size: 3 }), /tiny\.yaml plans 2 runs, want one/);
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

Deno.test("planFor() with --resume finds the files beside the workflow that was run", () =>
  withRuns(async (runs) => {
    const home = join(runs, ".home");
    Deno.mkdirSync(home);
    Deno.writeTextFileSync(
      join(home, "mine.ts"),
      "export const score = (b: { texts: string[] }) => b.texts.map(() => 1);",
    );
    const text = TINY.replace("uses: verifier", "uses: ./mine.ts");
    const folder = fabricateRun(runs, RUN_A, { workflow_folder: home });
    await Deno.writeTextFile(join(folder, "workflow.yaml"), text);
    const { plans } = await planFor(undefined, { runs, resume: RUN_A });
    assert.equal(plans[0]!.folder, home);
  }));

Deno.test("planFor() with --resume takes run.json and workflow.yaml from the newest checkpoint where they are damaged", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A);
    const record = { manifest: readManifest(folder), workflow: TINY };
    const content = { state: {}, tables: new RunTables("all"), resources: new Map(), best: null, record };
    writeCheckpoint(folder, "2.0", { ...content, trainStep: 2, update: 0 });
    for (const text of ["name: [", null]) {
      if (text === null) { for (const file of ["run.json", "workflow.yaml"]) Deno.removeSync(join(folder, file)); }
      else for (const file of ["run.json", "workflow.yaml"]) Deno.writeTextFileSync(join(folder, file), text);
      const { plans, resumeId, notes } = await planFor(undefined, { runs, resume: RUN_A });
      assert.equal(plans[0]!.name, "tiny");
      assert.equal(resumeId, RUN_A);
      assert.deepEqual(notes.map((note) => note.split(":")[0]), [
        "run.json is restored from checkpoint 2.0",
        "workflow.yaml is restored from checkpoint 2.0",
      ]);
    }
  }));

Deno.test("planFor() with --resume says that the file it came from was changed since", () =>
  withRuns(async (runs) => {
    const home = join(runs, ".home"), source = join(home, "mine.yaml");
    Deno.mkdirSync(home);
    Deno.writeTextFileSync(source, TINY);
    const created = "2026-01-02T03:04:05.000Z", began = new Date(created).getTime();
    const folder = fabricateRun(runs, RUN_A, { workflow_folder: home, workflow: "mine.yaml", created, params: {} });
    await Deno.writeTextFile(join(folder, "workflow.yaml"), TINY);
    const notes = async (file?: string) => (await planFor(file, { runs, resume: RUN_A })).notes;
    Deno.utimeSync(source, new Date(began - 1000), new Date(began - 1000));
    assert.deepEqual(await notes(), []);
    Deno.utimeSync(source, new Date(began + 1000), new Date(began + 1000));
    assert.match(
      (await notes()).join(),
      /mine\.yaml was changed after this run began: .*own copy.* run .* --resume 20260102/,
    );
    assert.deepEqual(await notes(source), []);
    Deno.removeSync(source);
    assert.deepEqual(await notes(), []);
  }));

Deno.test("run --resume says that the file was changed by its content, not by its time, also the second time", () =>
  withRuns(async (runs) => {
    const home = join(runs, ".home"), source = join(home, "mine.yaml");
    Deno.mkdirSync(home);
    const text = "name: mine\nsteps:\n  - { uses: load_prompts, with: { task: addition, digits: 1 } }\n";
    Deno.writeTextFileSync(source, text);
    assert.equal((await inProcess(["run", source, "--runs", runs])).code, 0);
    const resumed = async () => (await inProcess(["run", "--resume", "last", "--runs", runs])).err;
    const later = new Date(Date.now() + 60_000);
    for (const again of [1, 2]) {
      Deno.writeTextFileSync(source, text);
      Deno.utimeSync(source, later, later);
      assert.doesNotMatch(await resumed(), /was changed/, `${again}`);
      // Of the time of the run, as a tool that unpacks or checks out leaves it.
      Deno.writeTextFileSync(source, `${text}# more\n`);
      Deno.utimeSync(source, new Date(0), new Date(0));
      assert.match(await resumed(), /mine\.yaml was changed after this run began/, `${again}`);
    }
  }));

Deno.test("planFor() with --resume and a file leaves out a parameter that the file has no more, and says so", () =>
  withRuns(async (runs) => {
    fabricateRun(runs, RUN_A); // its parameter is "size"
    const file = join(runs, "tiny.yaml");
    await Deno.writeTextFile(file, TINY);
    const { plans, notes } = await planFor(file, { runs, resume: "aaaa", param: ["train_steps=4"] });
    assert.deepEqual(plans[0]!.params, { train_steps: 4 });
    assert.match(notes.join("\n"), /tiny\.yaml has no parameter size=4 any more: left out/);
    await assert.rejects(planFor(file, { runs, resume: "aaaa", param: ["size=5"] }), /unknown parameter "size"/);
  }));
