/** When the step `diagnose` looks, with a clock that only train steps and looks move. */
import assert from "node:assert/strict";
import { everySteps } from "../../steps/diagnose.ts";
import { growing, trainSteps } from "./contexts/train_steps.ts";
import { type TrainingRun, withRun } from "./contexts/training_run.ts";

type Make = (run: TrainingRun, step: number) => void;
const healthy: Make = (run) => trainSteps(run, 1);

/** Makes train steps of 60 ms, in which a look takes as long as given: those that were looked at, and the first told. */
async function lookedAt(steps: number, { look = 1, deterministic = false, make = healthy, untilTold = false } = {}) {
  const looked: number[] = [];
  let ms = 0, told = 0;
  await withRun(async (run) => {
    for (let step = 1; step <= steps && !(untilTold && told > 0); step++) {
      ms += 60;
      make(run, step);
      const { history } = run.tables;
      run.tables.history = (...window) => {
        if (looked.at(-1) !== step) [ms] = [ms + look, looked.push(step)];
        return history.apply(run.tables, window);
      };
      const { outputs } = await run.run("diagnose");
      run.tables.history = history;
      if (Number(outputs!["findings"]) > 0) told ||= step;
    }
  }, { now: () => ms, deterministic });
  return { looked, told, share: looked.length * look / ms };
}

const isPowerOfTwo = (step: number) => Number.isInteger(Math.log2(step));

Deno.test("diagnose looks as often as its part of a hundredth of the time allows, the first looks included", async () => {
  const { looked, share } = await lookedAt(400);
  assert.deepEqual(looked.slice(0, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert(share <= 0.0052 && share > 0.0045, `${share} of the time for looks of 1 ms`);
  assert(looked.every((step, i) => step <= 40 || step - looked[i - 1]! <= 8), looked.join());
});

Deno.test("diagnose looks at the first eight train steps, the 15th, the 16th, 32nd and so on where looks take all time there is", async () => {
  const { looked } = await lookedAt(400, { look: 300 });
  assert.deepEqual(looked, [1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 32, 64, 128, 256]);
});

Deno.test("diagnose saves time for looks at the whole run: one may take what many train steps allow", async () => {
  const { looked, share } = await lookedAt(1000, { look: 10 }),
    later = looked.filter((step) => step > 15 && !isPowerOfTwo(step));
  assert(later.length >= 10 && later.every((step) => step % 8 === 0), later.join());
  assert(share <= 0.0053, `${share} of the time`);
});

Deno.test("diagnose finds what is dead from its start, and a trend, before the run is twice as long, if no time is left", async () => {
  const flat = { reward_std: 0, group_reward_std: 0, zero_spread_fraction: 1, reward: 0, accuracy: 0 };
  const dead: Make = (run) => trainSteps(run, 1, { ...flat, loss: 0, grad_norm: 0 });
  const grows: Make = (run, step) => growing(run, step, step);
  for (const [make, steps] of [[dead, 64], [grows, 600]] as const) {
    const often = await lookedAt(steps, { make, untilTold: true, deterministic: true });
    const rare = await lookedAt(steps, { make, untilTold: true, look: 1e6 });
    assert(often.told > 0 && rare.told > 0 && rare.told < 2 * often.told, `${often.told} and ${rare.told}`);
  }
});

Deno.test("diagnose of a run that can be repeated to the bit looks in every train step, whatever the clock says", async () => {
  assert.equal((await lookedAt(60, { deterministic: true })).looked.length, 60);
  assert((await lookedAt(60)).looked.length < 60);
});

Deno.test("everySteps() is a power of two that grows with the run", () => {
  assert.deepEqual([1, 16, 511, 512, 1024, 5000, 100_000].map(everySteps), [8, 8, 8, 16, 32, 128, 2048]);
});
