import assert from "node:assert/strict";
import { trackerRun } from "../../../../data/tables/formats/tracker_run.ts";
import { RUN_MANIFEST } from "../../../../data/run_folder.ts";

Deno.test("trackerRun() has times in seconds and facts as short texts", () => {
  const manifest = RUN_MANIFEST.parse({
    format: 1,
    id: "r",
    name: "n",
    about: "a",
    status: "stopped",
    created: "1970-01-01T00:00:01.500Z",
    workflow: "w.yaml",
    params: {},
    seed: 7,
    device: "cpu",
    backend: "ffi",
    threads: 1,
    cpu_class: "x",
    versions: { deno: "2" },
    verdict: { verdict: "faulty", causes: ["nan_loss"], reasons: [], missing: [] },
  });
  const run = trackerRun(manifest, new Map([["a", 1]]));
  assert.deepEqual([run.started, run.finished, run.settings.get("a")], [1.5, null, 1]);
  const { workflow, seed, verdict, "version.deno": deno } = Object.fromEntries(run.facts);
  assert.deepEqual([workflow, seed, verdict, deno], ["w.yaml", "7", "faulty nan_loss", "2"]);
});
