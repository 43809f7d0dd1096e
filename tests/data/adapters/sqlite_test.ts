import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { readRun } from "../../../data/adapters/read_run.ts";
import { LOGGED, STEPS, unpacked } from "./golden_trackers.ts";
import { column, readFiles, readText, shown } from "./read_text.ts";

Deno.test("SQLITE reads each run of a database that MLflow wrote: NaN, infinities, parameters, no deleted run", () =>
  unpacked("mlflow/mlflow.db.gz", async (path) => {
    const runs = (await readRun([path])).map(shown);
    assert.deepEqual(runs.map(({ part }) => part.run!.split(" ")[0]), ["first", "second"]);
    for (const [more, run] of runs.entries()) {
      assert.deepEqual(run.metrics.train_step, STEPS);
      for (const [name, values] of Object.entries(LOGGED)) {
        assert.deepEqual(column(run, name), values.map((value) => value + more), name);
      }
      const settings = new Map(run.settings.map(({ name, value }) => [name, value]));
      assert.deepEqual([settings.get("learning_rate"), settings.get("seed"), settings.get("use_vllm")], [
        1e-6,
        1 + more,
        false,
      ]);
      assert(run.skipped.some(({ source, reason }) => /run removed/.test(source) && /deleted/.test(reason)));
    }
  }));

Deno.test("SQLITE reads a database that Trackio wrote, by the trainer's steps", () =>
  unpacked("trackio/golden.db.gz", async (path) => {
    const [run] = (await readRun([path])).map(shown);
    assert.deepEqual(run!.metrics.train_step, STEPS);
    for (const [name, values] of Object.entries(LOGGED)) {
      // Trackio keeps an infinity as a text, as it does NaN.
      assert.deepEqual(column(run!, name), values, name);
    }
    assert.deepEqual(new Map(run!.settings.map(({ name, value }) => [name, value])).get("num_generations"), 8);
  }));

Deno.test("SQLITE leaves a database of its own as it was, byte for byte", () =>
  unpacked("mlflow/mlflow.db.gz", async (path) => {
    const before = Deno.readFileSync(path);
    await readRun([path]);
    assert.deepEqual(Deno.readFileSync(path), before);
  }));

Deno.test("SQLITE names the tables of a database that no tracker wrote, what is damaged, and standard input", async () => {
  const folder = await Deno.makeTempDir(), path = `${folder}/other.db`;
  try {
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE cats (name TEXT)");
    database.close();
    const bytes = Deno.readFileSync(path);
    const other = await readFiles({ "other.db": bytes }, true);
    assert.match(other.skipped.map(({ reason }) => reason).join(), /of no tracker that is known \(tables: cats\)/);
    const damaged = bytes.slice();
    damaged.fill(7, 100, 400);
    assert.match(
      (await readFiles({ "a.db": damaged }, true)).sources[0]!.partial!,
      /Cannot read .*a\.db as a SQLite database/,
    );
    assert.match((await readText(bytes)).sources[0]!.partial!, /from standard input or out of a .gz: want the path of/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
