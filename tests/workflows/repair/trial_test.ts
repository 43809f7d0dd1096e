/** A fork is judged while it runs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { StopControl } from "../../../workflows/engine/run_plan.ts";
import { checkpointBefore, forkRun } from "../../../workflows/repair/fork.ts";
import { runFork, type Trial, type TrialOptions } from "../../../workflows/repair/trial.ts";
import { ENVIRONMENT, withFolder } from "../engine/fake_runs.ts";
import { faultyPlan, runFaulty, type Trouble, type World } from "./faulty_kinds.ts";

const TROUBLE: Trouble = { cause: "kl_explosion" };

/** A fork of a run that stopped at train step 25, from train step 20, in another world. */
async function trial(runs: string, world: World, options: Partial<TrialOptions> = {}): Promise<Trial> {
  const { folder } = await runFaulty(runs, { trouble: ({ trainStep }) => trainStep === 25 ? TROUBLE : null }, {
    repair: "off",
    runId: "parent",
  });
  const plan = faultyPlan(world);
  forkRun(folder, checkpointBefore(folder, 25)!, join(runs, "fork"), "fork", plan);
  const run = { runsFolder: runs, projectFolder: runs, environment: ENVIRONMENT, ...options.run };
  return await runFork({ plan, id: "fork", cause: "kl_explosion", foundStep: 25, judgeAt: 40, ...options, run });
}

Deno.test("runFork() that is free of the finding is judged once and runs to its end", () =>
  withFolder(async (runs) => {
    let judged = 0;
    const { outcome, result, record } = await trial(runs, {}, { isWorse: () => judged++ > 0 });
    assert.deepEqual([outcome, result.status, judged], ["cleared", "ok", 1]);
    assert.deepEqual([record.status, record.train_step, record.fired, record.rewards.length], [
      "running",
      40,
      false,
      20,
    ]);
  }));

Deno.test("runFork() ends at the train step in which the finding comes again, its reward included", () =>
  withFolder(async (runs) => {
    const { outcome, record } = await trial(runs, { trouble: ({ trainStep }) => trainStep === 31 ? TROUBLE : null });
    assert.deepEqual([outcome, record.fired, record.train_step], ["fired", true, 31]);
    assert.deepEqual(record.rewards.at(-1), [31, 0.5]);
  }));

Deno.test("runFork() that earns less is stopped when it is judged", () =>
  withFolder(async (runs) => {
    const { outcome, record, result } = await trial(runs, {}, { isWorse: () => true });
    assert.deepEqual([outcome, record.train_step, result.status], ["worse", 40, "interrupted"]);
  }));

Deno.test("runFork() stopped by another finding is cleared only after the first one was due", () =>
  withFolder(async (runs) => {
    const other: Trouble = { cause: "nan_loss" };
    const late = await trial(runs, { trouble: ({ trainStep }) => trainStep === 26 ? other : null });
    assert.equal(late.outcome, "cleared");
    Deno.removeSync(join(runs, "parent"), { recursive: true });
    const early = await trial(runs, { trouble: ({ trainStep }) => trainStep === 23 ? other : null });
    assert.equal(early.outcome, "failed");
    Deno.removeSync(join(runs, "parent"), { recursive: true });
    const effect: Trouble = { cause: "mode_collapse" }; // what kl_explosion explains
    const same = await trial(runs, { trouble: ({ trainStep }) => trainStep === 26 ? effect : null });
    assert.equal(same.outcome, "failed");
  }));

Deno.test("runFork() hears the caller's stop", () =>
  withFolder(async (runs) => {
    const stop = new StopControl();
    const { outcome, result } = await trial(runs, {
      trouble({ trainStep }) {
        if (trainStep === 28) stop.request("SIGINT");
        return null;
      },
    }, { run: { runsFolder: runs, projectFolder: runs, environment: ENVIRONMENT, stop } });
    assert.deepEqual([outcome, result.status, result.exitCode], ["interrupted", "interrupted", 130]);
  }));
