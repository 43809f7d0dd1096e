import assert from "node:assert/strict";
import { band, type Earned, type Method, METHODS, methodsTable, runMethod } from "./methods.ts";

const SMALL = {
  seed: 3,
  train_steps: 2,
  prompts_per_step: 4,
  warm_updates: 2,
  updates: 2,
  batch_size: 8,
  max_updates: 2,
  prompts: 4,
};
/** To prefer one completion to another, some of them must be right. */
const MORE: Partial<Record<Method, Record<string, number>>> = { best_of_n: { warm_updates: 120, pairs: 64 } };
/** Two train steps of a policy that knows nothing deserve an alarm, which would stop the run. */
const UNWATCHED = { without: ["diagnose"], evaluated: 40 };

for (const method of Object.keys(METHODS) as Method[]) {
  Deno.test(`${method}.yaml runs to its end at small size and measures before and after`, async () => {
    const { status, before, after } = await runMethod(method, { ...SMALL, ...MORE[method] }, UNWATCHED);
    assert.deepEqual([status, typeof before, typeof after], ["ok", "number", "number"]);
  });
}

Deno.test("a band is the mean with least and most; what was not measured is left out", () => {
  assert.equal(band([0.5, 0.7, null]), "60.0 [50.0, 70.0]");
  assert.equal(band([null]), "–");
});

Deno.test("the table has a line per method, its gain, and says what went wrong", () => {
  const run = (seed: number, after: number | null, status = "ok", alarms: string[] = []): Earned => ({
    method: "grpo",
    seed,
    status,
    before: 0.25,
    after,
    seconds: 10 * seed,
    alarms,
  });
  const [, line] = methodsTable([run(1, 0.5), run(2, null, "failed: no disk"), run(3, 0.75, "ok", ["nan_loss"])])
    .split("\n");
  assert.equal(
    line!.replace(/ {2,}/g, " | "),
    "grpo | 25.0 [25.0, 25.0] | 62.5 [50.0, 75.0] | 37.5 [25.0, 50.0] | 10 – 30 | failed: no disk (seed 2), nan_loss (seed 3)",
  );
});
