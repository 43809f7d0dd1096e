import assert from "node:assert/strict";
import { join } from "node:path";
import { manifestRemains } from "../../data/damaged_manifest.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../workflows/cli/fabricated_run.ts";

Deno.test("manifestRemains() keeps the keys before the place where a manifest was cut off", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { seed: 7 }), whole = Deno.readTextFileSync(join(folder, "run.json"));
    const { manifest, unknown, problem } = manifestRemains(folder, whole.slice(0, whole.indexOf('"backend"') + 5));
    assert.deepEqual([manifest.id, manifest.seed, manifest.params, manifest.device], [RUN_A, 7, { size: 4 }, "cpu"]);
    assert.deepEqual([unknown.has("seed"), unknown.has("device"), unknown.has("backend")], [false, false, true]);
    assert.match(problem, /^Cannot read all of run\.json: it is not JSON .*; the run is shown by its tables$/);
  }));

Deno.test("manifestRemains() knows a run by its folder's name and its tables where nothing is left", () =>
  withRuns((runs) => {
    for (const [text, why] of [[null, "is not there"], ["", "is empty"], ["{", "is not JSON"], ["[1]", "is a list"]]) {
      const { manifest, unknown, problem } = manifestRemains(join(runs, RUN_A), text ?? null);
      assert.deepEqual(
        [manifest.id, manifest.name, manifest.created, manifest.train_step, manifest.status],
        [RUN_A, "small", "2026-01-02T03:04:05.000Z", 2, "interrupted"],
      );
      assert(unknown.has("seed") && problem.includes(`it ${why}`), problem);
    }
  }));

Deno.test("manifestRemains() of another version says which key it cannot read, and keeps the others", () =>
  withRuns((runs) => {
    const whole = JSON.parse(Deno.readTextFileSync(join(runs, RUN_B, "run.json")));
    const other = manifestRemains(join(runs, RUN_B), JSON.stringify({ ...whole, format: 2, cpu_class: undefined }));
    assert.match(other.problem, /run\.json: "format": Invalid input: expected 1; it lacks "cpu_class"; the run/);
    assert.deepEqual([other.manifest.seed, [...other.unknown]], [2, ["format", "cpu_class"]]);
    const { problem } = manifestRemains(join(runs, RUN_B), JSON.stringify({ ...whole, cpu_class: undefined }));
    assert.match(problem, /it lacks "cpu_class"; the run/);
  }));

Deno.test("openRunFolder() opens a run without a manifest where it is told what is lost, and a table is there", () =>
  withRuns((runs) => {
    const folder = join(runs, RUN_A), told: string[] = [];
    Deno.writeTextFileSync(join(folder, "run.json"), "");
    assert.throws(() => openRunFolder(folder), /Cannot read .*run\.json: it is not JSON/);
    const run = openRunFolder(folder, (text) => told.push(text));
    assert.deepEqual([run.table("metrics").numRows(), run.unknown.has("seed"), told.length], [2, true, 1]);
    Deno.removeSync(join(folder, "tables"), { recursive: true });
    assert.throws(() => openRunFolder(folder, () => {}), /Cannot read .*run\.json: it is not JSON/);
  }));
