import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { comparison } from "../../../workflows/explore/compare_runs.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("comparison() lists parameters, settings, time, results and findings that differ; absent is null", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, {
      params: { size: 4, extra: true },
      finished: "2026-01-02T03:04:15.000Z",
      evaluations: { before: { sampled: 0.5, greedy: null } },
      findings: [{ cause: "entropy_collapse" }],
    });
    const [a, b] = [RUN_A, RUN_B].map((id) => openRunFolder(join(runs, id)));
    assert.deepEqual(comparison(a!, b!), [
      { name: "params.extra", a: null, b: true },
      { name: "seconds", a: 75, b: 10 },
      { name: "after.sampled", a: 0.75, b: null },
      { name: "findings", a: null, b: "entropy_collapse" },
    ]);
    assert.deepEqual(comparison(a!, a!), []);
  }));

Deno.test("comparison() lists loss, accuracy and margin of steps that trained on preferences", () =>
  withRuns((runs) => {
    const of = (loss: number, margin: number) => ({ prefer: { updates: 3, epochs: 1, loss, accuracy: 0.5, margin } });
    fabricateRun(runs, RUN_A, { outputs: of(0.7, 0) });
    fabricateRun(runs, RUN_B, { seed: 1, outputs: of(0.4, 2), evaluations: {} });
    const [a, b] = [RUN_A, RUN_B].map((id) => openRunFolder(join(runs, id)));
    const found = comparison(a!, b!).filter(({ name }) => name.startsWith("prefer."));
    assert.deepEqual(found, [{ name: "prefer.loss", a: 0.7, b: 0.4 }, { name: "prefer.margin", a: 0, b: 2 }]);
  }));

Deno.test("comparison() lists the settings in force that differ, and all that an evaluation measured", () =>
  withRuns((runs) => {
    const [a, b] = [["grpo", 8, 0.5], ["gae", 1, 0.75]].map(([algorithm, group_size, best], i) => {
      const evaluations = { chosen: { best: best as number, n: 8 } };
      const folder = fabricateRun(runs, [RUN_A, RUN_B][i]!, { seed: 1, evaluations });
      const rows = Object.entries({ algorithm, group_size, top_p: 1, ...(i ? { value_clip: 0.5 } : {}) })
        .map(([name, value]) => ({ name, value: JSON.stringify(value), source: "workflow" }));
      const path = join(folder, segmentPath("settings", 1, 2));
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeFileSync(path, encodeTable("settings", tableOfRows("settings", rows)));
      return openRunFolder(folder);
    });
    assert.deepEqual(comparison(a!, b!), [
      { name: "algorithm", a: "grpo", b: "gae" },
      { name: "group_size", a: 8, b: 1 },
      { name: "value_clip", a: null, b: 0.5 },
      { name: "chosen.best", a: 0.5, b: 0.75 },
    ]);
  }));
