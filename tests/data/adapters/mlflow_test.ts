import assert from "node:assert/strict";
import { join } from "node:path";
import { isFolder } from "../../../data/file_system.ts";
import { readRun } from "../../../data/adapters/read_run.ts";
import { LOGGED, STEPS, TRACKERS } from "./golden_trackers.ts";
import { column, readFiles, shown } from "./read_text.ts";

const STORE = join(TRACKERS, "mlflow/mlruns");
const META = 'run_id: abc\nrun_name: ""\nlifecycle_stage: active\nstatus: 3\n';

Deno.test("MLFLOW reads each run of a file store that MLflow wrote, with its own parameters", async () => {
  const runs = (await readRun([STORE])).map(shown);
  assert.deepEqual(runs.map(({ part }) => part.run!.split(" ")[0]).sort(), ["first", "second"]);
  for (const run of runs) {
    const more = run.part.run!.startsWith("first") ? 0 : 1;
    assert.deepEqual(run.metrics.train_step, STEPS);
    for (const [name, values] of Object.entries(LOGGED)) {
      assert.deepEqual(column(run, name), values.map((value) => value + more), name);
    }
    const settings = new Map(run.settings.map(({ name, value }) => [name, value]));
    assert.deepEqual([settings.get("learning_rate"), settings.get("num_generations"), settings.get("seed")], [
      1e-6,
      8,
      1 + more,
    ]);
    assert.deepEqual([settings.get("use_vllm"), settings.get("note")], [false, 'a\n"b"']);
    assert(run.skipped.some(({ reason }) => /deleted in MLflow/.test(reason)));
    assert(![...run.unmapped.keys()].some((name) => name.startsWith("system/")), "the machine is no metric");
  }
});

Deno.test("MLFLOW reads one run's folder, also where it is named by itself", async () => {
  const folders = [...Deno.readDirSync(join(STORE, "1"))].filter(({ isDirectory }) => isDirectory);
  const [folder] = folders.map(({ name }) => join(STORE, "1", name)).filter((path) => isFolder(join(path, "params")));
  const runs = await readRun([folder!]);
  assert.equal(runs.length, 1);
  assert.equal(runs[0]!.rows.tables.metrics!.numRows(), STEPS.length);
});

Deno.test("MLFLOW counts values that were logged without steps, and takes the last of several for one", async () => {
  const run = await readFiles({
    "meta.yaml": META,
    "metrics/train/loss": "1 0.5 0\n2 0.25 0\n3 0.125 0\n",
    "metrics/train/reward": "1 1 1\n2 2 2\n3 3 2\n",
  });
  assert.deepEqual(run.metrics.train_step, [1, 2, 3]);
  assert.deepEqual([column(run, "loss"), column(run, "reward")], [[0.5, 0.25, 0.125], [1, 3, null]]);
});

Deno.test("MLFLOW says which line of a metric it cannot read, and keeps the others", async () => {
  const run = await readFiles({ "meta.yaml": META, "metrics/train/loss": "1 0.5 1\nx\n3 0.25 3\n4 0.1" });
  assert.deepEqual(column(run, "loss"), [0.5, 0.25]);
  assert.match(
    run.skipped.map(({ line, reason }) => `${line} ${reason}`).join(),
    /2 a line of metric train\/loss that is not/,
  );
});
