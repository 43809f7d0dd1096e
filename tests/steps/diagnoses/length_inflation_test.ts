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

const checkLength = (length: readonly number[], more: Record<string, readonly number[]> = flatReward) =>
  DIAGNOSES.length_inflation.check(viewOf(longRun({ completion_length: length, ...more })));

Deno.test("length_inflation wants four stretches of it: what came in the last three may pay yet", () => {
  const from = (record: number) => noisy(() => 370, 20).map((value, i) => i < record ? value : value + 990);
  // The twenty-first of 24 stretches of 300 records begins with record 250, the one behind it with record 263.
  assert.notEqual(checkLength(from(250)), null);
  assert.equal(checkLength(from(263)), null);
});

Deno.test("length_inflation is of completions that have some tokens, not of answers of a word", () => {
  assert.equal(checkLength(grown.map((value) => value / 200)), null, "from 2 to 7 tokens");
  assert.notEqual(checkLength(grown.map((value) => value / 100)), null, "from 4 to 14");
});

Deno.test("length_inflation names hardly ever lengths that wander by half of themselves, wherever they end", () => {
  const named = Array.from(
    { length: 100 },
    (_, i) => checkLength(noisy(() => 400, 160, { seed: i + 1, memory: 0.97 }).map((value) => Math.max(50, value))),
  ).filter((found) => found !== null);
  assert(named.length <= 3, String(named.length));
});

Deno.test("length_inflation takes a hundredth of a score's level for no gain, however sure it is", () => {
  const reward = (by: number) => ({
    reward: noisy(between(0.6, 0.6 * (1 + by), 0.3), 1e-5),
    "reward.accuracy_reward": [],
  });
  assert.notEqual(checkLength(grown, reward(0.008)), null);
  assert.equal(checkLength(grown, reward(0.03)), null);
});

Deno.test("length_inflation takes fewer mistakes near the top for a gain where they are beyond chance", () => {
  const evaluationSteps = Array.from({ length: 24 }, (_, i) => Math.round(12.5 * (i + 1)));
  /** Nine of ten are right, in the end nineteen of twenty; evaluations differ in turn. */
  const check = (swing: number) => {
    const accuracy = evaluationSteps.map((_, i) => i < 20 ? 0.9 + swing * (i % 2 - 0.5) : 0.95 + swing * (i % 2 - 0.5));
    const run = longRun({ completion_length: grown, ...flatReward }, { evaluationSteps, evaluations: { accuracy } });
    return DIAGNOSES.length_inflation.check(viewOf(run));
  };
  assert.equal(check(0.01), null, "half of the mistakes are gone");
  assert.notEqual(check(0.09), null, "by chance");
});
