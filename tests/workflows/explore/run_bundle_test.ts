import assert from "node:assert/strict";
import { JUPYTER_DISPLAY } from "../../../notebooks/display.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { resultBundle, runBundle } from "../../../workflows/explore/run_bundle.ts";
import type { RunResult } from "../../../workflows/engine/run_plan.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

const FINDING = {
  cause: "entropy_collapse",
  severity: "error",
  message: "a < b",
  hint: "h",
  train_steps: [2],
  codes: [],
};

Deno.test("a cell that ends with a run shows what it is: how it ended, its tables, what was found", () =>
  withRuns(async (runs) => {
    const run = await openRun(fabricateRun(runs, RUN_A, { findings: [FINDING] }), runs);
    const bundle = runBundle(run), text = String(bundle["text/plain"]);
    assert.match(
      text,
      new RegExp(`^small · ok · .*2 train steps · ${RUN_A}\n  tables  .*completions \\(4\\).*metrics \\(2\\)`),
    );
    assert.match(text, /\n {2}error: entropy_collapse {2}train step 2: a < b$/);
    assert.match(String(bundle["text/html"]), /a &lt; b$/);
    assert.deepEqual(run[JUPYTER_DISPLAY](), bundle);
  }));

Deno.test("a cell that ends with the result of a run shows how it ended and what was measured", () => {
  const result = {
    runId: "r",
    status: "stopped",
    reason: "enough",
    verdict: null,
    evaluations: { after: { sampled: 0.5, split: "held_out" } },
    findings: [],
  } as unknown as RunResult;
  assert.equal(resultBundle(result)["text/plain"], "r · stopped · enough\n  after  sampled 0.5, split held_out");
});
