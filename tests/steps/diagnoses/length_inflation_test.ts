/** The rule length_inflation: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";
import { testRule, viewOf } from "./synthetic.ts";

const grown = noisy(between(370, 1360, 0.3, 0.8), 20);
const flatReward = { reward: noisy(between(0.3, 0.6, 0, 0.3), 0.04), "reward.accuracy_reward": [] };

testRule("length_inflation", {
  fires: {
    "a length that grows by a factor of 3.7 at a flat reward": longRun({ completion_length: grown, ...flatReward }),
  },
  silent: {
    "the same length with a reward that rises to the end": longRun({ completion_length: grown }),
    "a length that grows by a third": longRun({
      completion_length: noisy(between(370, 500, 0.3, 0.8), 20),
      ...flatReward,
    }),
    "a length that is noise": longRun({ completion_length: noisy(() => 400, 300), ...flatReward }),
    "a long run that learns, of another seed": longRun({}, { seed: 9 }),
  },
});

Deno.test("length_inflation begins where the length leaves its lowest level, and its message says both", () => {
  const found = DIAGNOSES.length_inflation.check(viewOf(longRun({ completion_length: grown, ...flatReward })));
  assert(found !== null && "message" in found);
  assert(found.trainSteps[0]! > 90 && found.trainSteps[0]! < 160, String(found.trainSteps[0]));
  assert.match(
    found.message,
    /^Completions went from about 3[5-7]\d\S* to 13\d\d\S* tokens, and since train step \d+ the reward/,
  );
});

Deno.test("length_inflation is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.length_inflation.check(viewOf(run)), null);
});

Deno.test("length_inflation names a growth by half that goes on, none that is over, open to chance or smaller", () => {
  const check = (to: number, end: number, noise = 4, seed = 1) =>
    DIAGNOSES.length_inflation.check(
      viewOf(longRun({ completion_length: noisy(between(370, to, 0.3, end), noise, { seed }), ...flatReward })),
    );
  assert.match(JSON.stringify(check(540, 1)), /Completions went from about 3\d\d.* to 5\d\d.* the reward did not rise/);
  assert.equal(check(540, 0.6), null, "it has stopped there");
  // Seeds whose last stretches happen to go up one by one.
  for (const seed of [188, 192, 225, 249]) assert.equal(check(540, 1, 60, seed), null, "it may be chance");
  assert.equal(check(480, 1), null, "by a quarter");
  assert.notEqual(check(700, 0.6), null, "1.7 times, wherever it stops");
});
