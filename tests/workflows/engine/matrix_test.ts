/** Matrix runs: order, fail-fast, child processes. @module */
import assert from "node:assert/strict";
import { matrixExitCode, runMatrix } from "../../../workflows/engine/matrix.ts";
import { ENVIRONMENT, withFolder } from "./fake_runs.ts";
import { fakePlan, type Hooks } from "./fake_steps.ts";

Deno.test("runMatrix() runs plan after plan and starts none after a failure", () =>
  withFolder(async (runs) => {
    const hooks: Hooks = {
      log: [],
      at() {
        if (hooks.log.length === 2) throw new Error("second");
      },
    };
    const plans = ["a", "b", "c"].map((name) => fakePlan(`name: ${name}\nsteps: [{ uses: act }]`, hooks));
    const options = { runsFolder: runs, projectFolder: runs, environment: ENVIRONMENT, maxParallel: 1, failFast: true };
    const results = await runMatrix(plans, options);
    assert.deepEqual(results.map(({ started, exitCode }) => [started, exitCode]), [[true, 0], [true, 1], [false, 0]]);
    assert.equal(matrixExitCode(results), 1);
    hooks.log.length = 0;
    const all = await runMatrix(plans, { ...options, failFast: false });
    assert.deepEqual(all.map(({ exitCode }) => exitCode), [0, 1, 0]);
  }));

Deno.test("runMatrix() never has more than max-parallel children", async () => {
  const plans = ["a", "b", "c", "d", "e"].map((name) => fakePlan(`name: ${name}\nsteps: [{ uses: act }]`, { log: [] }));
  let now = 0, most = 0;
  const inChild = async (_: unknown, index: number) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return index === 3 ? 3 : 0;
  };
  const options = { runsFolder: "", projectFolder: "", maxParallel: 2, failFast: false };
  const results = await runMatrix(plans, { ...options, inChild });
  assert.equal(most, 2);
  assert.deepEqual(results.map(({ exitCode }) => exitCode), [0, 0, 0, 3, 0]);
  assert.equal(matrixExitCode(results), 3);
  await assert.rejects(() => runMatrix(plans, options), /Cannot run 2 plans at a time in one process/);
});

Deno.test("matrixExitCode() is the signal's where one has stopped the matrix before its end, whatever the runs ended with", () => {
  const plan = fakePlan("name: a\nsteps: [{ uses: act }]", { log: [] });
  const run = (exitCode: number, started = true) => ({ plan, exitCode, result: null, started, runId: null });
  assert.equal(matrixExitCode([run(0), run(0, false)], "SIGINT"), 130);
  assert.equal(matrixExitCode([run(0), run(1)], "SIGTERM", false), 143);
  assert.equal(matrixExitCode([run(0), run(0)], "SIGTERM"), 0);
  assert.equal(matrixExitCode([run(0), run(1)], "SIGINT", true), 1);
  assert.equal(matrixExitCode([run(0), run(0, false)]), 0);
});
