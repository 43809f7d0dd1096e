import assert from "node:assert/strict";
import { JUPYTER_DISPLAY } from "../../../notebooks/display.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
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

Deno.test("a cell says of a run what the command line says: killed, healthy, and of one that goes on no more than so far", () =>
  withRuns(async (runs) => {
    const verdict = (verdict: "benign" | "insufficient") => ({ verdict, causes: [], reasons: [], missing: [] });
    const told = async () => String(runBundle(await openRun(folder, runs))["text/plain"]);
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null, verdict: verdict("benign") });
    assert.match(await told(), /^small · killed · healthy · /);
    const lock = acquireLock(folder, new Date(0));
    assert.match(await told(), /^small · running · healthy so far · /);
    lock.release();
    fabricateRun(runs, RUN_A, { verdict: verdict("insufficient") });
    assert.match(await told(), /^small · ok · cannot tell · /);
  }));

Deno.test("a cell that ends with the result of a run shows how it ended and what was measured", () => {
  const result = {
    runId: "r",
    status: "stopped",
    reason: "enough",
    verdict: { verdict: "benign" },
    evaluations: { after: { sampled: 0.5, split: "held_out" } },
    findings: [],
  } as unknown as RunResult;
  assert.equal(
    resultBundle(result)["text/plain"],
    "r · stopped · enough · healthy\n  after  sampled 0.5, split held_out",
  );
});
