/** What is right on old prompts alone. */
import assert from "node:assert/strict";
import { rightOnOldPrompts } from "../../../../steps/diagnoses/view/memorised.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { between, type Curve, longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const STEPS = Array.from({ length: 16 }, (_, i) => 20 * i);

/** A run whose held-out score of this name follows one curve, and what is paid another. */
function run(held: Curve, paid: Curve, name = "eval_reward", more: Record<string, readonly number[]> = {}) {
  const reward = noisy(paid, 0.03), values = noisy(held, 0.01, { records: 16, seed: 3 });
  return viewOf(longRun({ reward, "reward.accuracy_reward": [], ...more }, {
    scores: [{
      name,
      column: name.replace("eval_", ""),
      split: null,
      mode: "sampled",
      prompts: null,
      trainSteps: STEPS,
      values,
    }],
  }));
}

const lost = (at: number) => between(0.4, 0.7, 0, 0.3)(at) - between(0, 0.35, 0.35, 0.7)(at),
  learned = between(0.4, 0.95);

Deno.test("what is paid on the prompts of training and no longer on held-out ones is overfitting, from where it left its best", () => {
  const found = rightOnOldPrompts(run(lost, learned))!;
  assert.match(
    found.message,
    /^The score fell from 0\.\d+ .* while the reward of training went from about 0\.\d+ to 0\.[89]/,
  );
  assert(found.trainSteps[0]! >= 80 && found.trainSteps[0]! <= 160, String(found.trainSteps[0]));
  const { findings, afterEffects } = diagnoseRun(run(lost, learned));
  assert.equal(findings[0]?.cause, "overfitting");
  assert(afterEffects.some(({ cause }) => cause === "reward_collapse"));
});

Deno.test("a total reward beside a held-out accuracy may be a shortcut: its goal must rise in training", () => {
  assert.equal(rightOnOldPrompts(run(lost, learned, "eval_accuracy")), null);
  const goal = { accuracy: noisy(learned, 0.02, { seed: 5 }) };
  assert.notEqual(rightOnOldPrompts(run(lost, learned, "eval_accuracy", goal)), null);
  const falls = { accuracy: noisy(between(0.6, 0.2), 0.02, { seed: 5 }) };
  assert.equal(rightOnOldPrompts(run(lost, learned, "eval_accuracy", falls)), null, "then it is hacked");
});

Deno.test("a training reward that falls too, a held-out one that holds, and pairs are none of it", () => {
  assert.equal(rightOnOldPrompts(run(lost, lost)), null);
  assert.equal(rightOnOldPrompts(run(between(0.4, 0.7, 0, 0.3), learned)), null);
  assert.equal(rightOnOldPrompts(run(lost, () => 0.4)), null, "nothing is learned");
  assert.notEqual(rightOnOldPrompts(run(lost, between(0.5, 0.9, 0, 0.2))), null, "it stays where nearly all is right");
});

Deno.test("a second score of new prompts that holds, or a goal that falls, or one that is flat and unsolved, is no overfitting", () => {
  const series = (name: string, curve: Curve, dataSet?: string) => ({
    ...{
      name,
      column: name.replace("eval_", ""),
      split: null,
      mode: "sampled",
      prompts: null,
      trainSteps: STEPS,
      ...(dataSet === undefined ? {} : { dataSet }),
    },
    values: noisy(curve, 0.002, { records: 16, seed: 9 }),
  });
  const of = (scores: ReturnType<typeof series>[], more: Record<string, readonly number[]> = {}) =>
    rightOnOldPrompts(
      viewOf(longRun({ reward: noisy(learned, 0.03), "reward.accuracy_reward": [], ...more }, { scores })),
    );
  const paidOnes = series("eval_reward", lost);
  assert.notEqual(of([paidOnes]), null);
  assert.equal(of([paidOnes, series("eval_accuracy", () => 0.5)]), null, "the other is flat");
  assert.equal(of([paidOnes, series("eval_accuracy", between(0.3, 0.6))]), null, "the other rises");
  assert.equal(of([paidOnes], { accuracy: noisy(between(0.7, 0.3), 0.02) }), null, "the goal falls in training");
  assert.equal(of([paidOnes], { reward: noisy(() => 0.5, 0.005) }), null, "flat, with half to learn");
});

Deno.test("training that paid less than three fifths of the held-out best then is of another task", () => {
  assert.equal(rightOnOldPrompts(run(lost, between(0.2, 0.9, 0.5, 0.7))), null);
  assert.notEqual(rightOnOldPrompts(run(lost, between(0.5, 0.9, 0.5, 0.7))), null);
});
