import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { comparison } from "../../../workflows/cli/compare_runs.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";

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
      { name: "seconds", a: 75, b: 10 },
      { name: "after.sampled", a: 0.75, b: null },
      { name: "findings", a: null, b: "entropy_collapse" },
      { name: "params.extra", a: null, b: true },
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
