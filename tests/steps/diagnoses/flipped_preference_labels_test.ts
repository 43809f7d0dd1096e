/** The rule flipped_preference_labels: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { noisy } from "./long_run.ts";
import { uniform } from "../../../data/random.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import rule from "../../../steps/diagnoses/flipped_preference_labels.ts";
import type { ScoreSeries } from "../../../steps/diagnoses/view/score_series.ts";
import { begins, flat, ramp, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";
import { from, healthyPairs, longPairs, settles } from "./long_pairs.ts";

/** DPO of ours that learns its pairs, with an accuracy on so many others. */
const heldOut = (validation_rows: number, accuracy: number) => ({
  algorithm: "dpo",
  own: true,
  settings: { validation_rows },
  columns: {
    loss: ramp(0.69, 0.4, 30, 0),
    reward_margin: ramp(0, 0.7, 30, 0),
    preference_accuracy: ramp(0.6, 0.9),
    grad_norm: ramp(2, 1),
  },
  evaluations: { preference_accuracy: [accuracy, accuracy, accuracy], reward_margin: [0, -0.05, -0.11] },
});

/** Nats that a fast run needs five updates to turn round: -20 and -1.3 at the first, the other way about at the last. */
const fast = (from: readonly [number, number], to: readonly [number, number], beta = 0.1): Run => {
  const level = (side: 0 | 1) => ramp(from[side], to[side], 6, 0).concat(flat(to[side], 144) as number[]);
  const reward = (side: 0 | 1) => level(side).map((value) => beta * (value - from[side]));
  return {
    algorithm: "kto",
    own: true,
    settings: { kl_coef: beta },
    steps: Array.from({ length: 150 }, (_, i) => 176 + i),
    columns: {
      loss: ramp(0.5, 0.2, 150, 0.01),
      grad_norm: ramp(1, 0.3, 150),
      chosen_logprob: level(0),
      rejected_logprob: level(1),
      chosen_reward: reward(0),
      rejected_reward: reward(1),
      reward_margin: reward(0).map((value, i) => value - reward(1)[i]!),
    },
  };
};
const heldOutScore = (values: readonly number[]): ScoreSeries => ({
  name: "correct (held_out, sampled)",
  split: "held_out",
  mode: "sampled",
  prompts: 500,
  trainSteps: values.map((_, i) => 175 + 150 * i),
  values,
});
const FLIPPED = fast([-20.2, -1.27], [-11, -26]);
const withoutStart = (run: Run): Run => ({
  ...run,
  steps: run.steps!.slice(22),
  columns: Object.fromEntries(Object.entries(run.columns!).map(([name, cells]) => [name, cells.slice(22)])),
});

testRule("flipped_preference_labels", {
  fires: {
    "a reward model at chance over 300 updates": {
      algorithm: "sft",
      columns: {
        accuracy: noisy(() => 0.5, 0.07),
        loss: noisy(() => 0.69, 0.05, { seed: 2 }),
        grad_norm: flat(5, 300),
      },
    },
    "labels that are shuffled from the middle of the run on": longPairs({
      seed: 1,
      margin: (t) => Math.max(0, settles(1)(t) - from(0.5, 5)(t)),
      chosen: () => 0,
    }),
    "accuracy below a half after 450 updates": {
      algorithm: "dpo",
      steps: Array.from({ length: 90 }, (_, i) => 5 * i + 5),
      columns: { loss: ramp(0.7, 0.71, 90), preference_accuracy: ramp(0.49, 0.43, 90), grad_norm: flat(9, 90) },
    },
    "KTO without printed steps whose loss never falls": {
      algorithm: "kto",
      stepsPrinted: false,
      settings: { logging_steps: 5 },
      columns: {
        loss: ramp(0.501, 0.504, 150, 0.001),
        grad_norm: flat(4, 150),
        chosen_reward: ramp(0, -0.02, 150),
        rejected_reward: ramp(0, 0, 150),
        reward_margin: ramp(0, -0.02, 150),
      },
    },
    "a fast run of ours whose reference finds rejected far likelier": FLIPPED,
    "the same by its later records": withoutStart(FLIPPED),
    "the same with the held-out score at 0: that is no collapse of its own": {
      ...FLIPPED,
      scores: [heldOutScore([0.368, 0])],
    },
    "longer texts ten times less likely": fast([-60, -4], [-30, -90]),
    "DPO of ours with 30 of 130 held-out pairs right": heldOut(130, 0.23),
    "KTO rewards that move for 250 updates without a margin": {
      algorithm: "kto",
      steps: Array.from({ length: 50 }, (_, i) => 5 * i + 5),
      columns: {
        loss: ramp(0.5, 0.5, 50, 0.005),
        grad_norm: ramp(0.1, 0.3, 50),
        chosen_reward: ramp(0, -0.3, 50),
        rejected_reward: ramp(0, -0.3, 50),
        reward_margin: ramp(0, 0, 50, 0.02),
      },
    },
    "training right, held out wrong": {
      algorithm: "dpo",
      columns: { loss: ramp(0.69, 0.3), preference_accuracy: ramp(0.5, 0.95), grad_norm: ramp(2, 1) },
      evaluations: { preference_accuracy: [0.3, 0.1, 0.05] },
    },
    "no signal after 300 updates": {
      algorithm: "dpo",
      columns: { loss: flat(0.69, 300), preference_accuracy: ramp(0.5, 0.5, 300, 0.03), grad_norm: flat(2, 300) },
    },
    "chosen far less likely from the start": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.6931, 0.5),
        grad_norm: ramp(3, 3),
        chosen_logprob: ramp(-4.2, -3),
        rejected_logprob: ramp(-0.8, -2, 30, 0),
      },
    },
  },
  silent: {
    "a reward model that learns": {
      algorithm: "sft",
      columns: {
        accuracy: noisy((at) => 0.5 + 0.2 * at, 0.07),
        loss: noisy((at) => 0.69 - 0.1 * at, 0.05, { seed: 2 }),
        grad_norm: flat(5, 300),
      },
    },
    "a run that loses half of its margin and goes on": longPairs({
      seed: 2,
      margin: (t) => settles(1)(t) - from(0.5, 0.75)(t),
    }),
    "long texts that are four times as long": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.69, 0.5),
        preference_accuracy: ramp(0.7, 0.85),
        chosen_logprob: ramp(-275, -270),
        rejected_logprob: ramp(-67, -75),
        grad_norm: ramp(2, 2),
      },
    },
    "right labels: chosen the likelier": fast([-1.27, -20.2], [-0.8, -100]),
    "answers that the policy did not know and has learned": { ...FLIPPED, scores: [heldOutScore([0.05, 0.4])] },
    "chosen texts of thrice the length": fast([-60, -18], [-50, -30]),
    "a rate too high: nothing is learned from right labels": {
      algorithm: "kto",
      own: true,
      settings: { learning_rate: 3e-3, parameters: 1e6 },
      columns: {
        loss: ramp(0.5, 0.5, 250, 0.05),
        grad_norm: ramp(1, 1, 250),
        chosen_logprob: [-1.3, -25, -45, ...ramp(-60, -240, 247)],
        rejected_logprob: [-20, -35, -50, ...ramp(-65, -235, 247)],
        chosen_reward: ramp(0, -20, 250),
        rejected_reward: ramp(0, -19, 250),
        reward_margin: ramp(-1, -2, 250, 0.1),
      },
    },
    "DPO of ours that knows 75 pairs by heart: 7 of 13 others right, their margin below 0": heldOut(13, 0.54),
    "DPO of ours with 3 of 13 right: chance": heldOut(13, 0.23),
    "KTO that barely moves": {
      algorithm: "kto",
      steps: Array.from({ length: 50 }, (_, i) => 5 * i + 5),
      columns: {
        chosen_reward: ramp(0, -0.02, 50, 0.001),
        reward_margin: ramp(0, 0, 50, 0.002),
        grad_norm: ramp(1, 1, 50),
      },
    },
    "longer chosen texts": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.69, 0.5),
        preference_accuracy: ramp(0.5, 0.9),
        chosen_logprob: ramp(-300, -290),
        rejected_logprob: ramp(-220, -250),
        grad_norm: ramp(2, 2),
      },
    },
  },
});

Deno.test("flipped_preference_labels is a note where a policy of ours cannot tell its pairs apart: the task may be hard", () => {
  const run = {
    algorithm: "dpo",
    columns: {
      loss: ramp(0.693, 0.69, 260, 0),
      preference_accuracy: ramp(0.48, 0.52, 260),
      grad_norm: ramp(1, 2, 260),
    },
  };
  const severity = (own: boolean) =>
    diagnoseRun(viewOf({ ...run, own })).findings.map(({ cause, severity }) => `${cause} ${severity}`);
  assert.deepEqual(severity(false), ["flipped_preference_labels warning"]);
  assert.deepEqual(severity(true), ["flipped_preference_labels info"]);
});

Deno.test("flipped_preference_labels explains what it does to pairs: no advice to train the wrong answers harder", () => {
  const { findings, afterEffects } = diagnoseRun(viewOf({
    ...fast([-19, -1.1], [-60, -110]),
    algorithm: "dpo",
    settings: { kl_coef: 0.1, loss: "sigmoid" },
    scores: [heldOutScore([0.368, 0])],
  }));
  assert.deepEqual(findings.map(({ cause, severity }) => `${cause} ${severity}`), ["flipped_preference_labels error"]);
  assert.deepEqual(afterEffects.map(({ cause }) => cause).sort(), ["likelihood_displacement", "reward_collapse"]);
  assert.match(findings[0]!.hint, /^Read ten examples/);
});

silentOn(
  "flipped_preference_labels",
  "healthy runs on pairs",
  Array.from({ length: 60 }, (_, seed) => healthyPairs(seed)),
);

Deno.test("flipped_preference_labels begins where pairs are told apart the wrong way round, not at the last step", () => {
  const run = (accuracy: readonly number[], margin: readonly number[] = []): Run => ({
    algorithm: "dpo",
    columns: {
      loss: ramp(0.69, 0.3, 100),
      ...(accuracy.length > 0 ? { preference_accuracy: ramp(0.5, 0.95, 100) } : {}),
      reward_margin: ramp(0, 2, 100),
      grad_norm: ramp(2, 1, 100),
    },
    evaluationSteps: [20, 40, 60, 80, 100],
    evaluations: { preference_accuracy: accuracy, reward_margin: margin },
  });
  assert.equal(begins("flipped_preference_labels", run([0.3, 0.1, 0.05, 0.05, 0.05])), 1, "from the start");
  assert.equal(
    begins("flipped_preference_labels", run([0.7, 0.6, 0.2, 0.1, 0.05])),
    41,
    "new labels, behind train step 40",
  );
  assert.equal(begins("flipped_preference_labels", run([], [0.1, -0.4, -0.9, -1.2, -1.5])), 21);
});

/** Share of 200 runs called so: an accuracy of so many pairs an update that goes from one chance to another. */
function calledChance(updates: number, pairs: number, to: number, start = 0.5): number {
  const called = Array.from({ length: 200 }, (_, seed) => {
    const preference_accuracy = Array.from({ length: updates }, (_, at) => {
      const chance = start + (to - start) * at / (updates - 1);
      const right = Array.from({ length: pairs }, (_, pair) => uniform(seed + 1, "pairs", pairs, at, pair) < chance);
      return right.filter((isRight) => isRight).length / pairs;
    });
    const columns = { loss: flat(0.69, updates), preference_accuracy, grad_norm: flat(2, updates) };
    const found = rule.check(viewOf({ algorithm: "dpo", columns, settings: { per_device_train_batch_size: pairs } }));
    return found !== null && "message" in found;
  });
  return called.filter((isCalled) => isCalled).length / called.length;
}

Deno.test("flipped_preference_labels of half-flipped labels is shown by the pairs asked, from a hundred updates on", () => {
  for (const [updates, pairs, least] of [[120, 32, 0.7], [150, 64, 0.85], [150, 16, 0.55], [250, 16, 0.95]] as const) {
    const share = calledChance(updates, pairs, 0.5);
    assert(share >= least, `${share} of ${updates} updates of ${pairs} pairs`);
  }
  assert.equal(calledChance(99, 64, 0.5), 0, "fewer are too few");
});

Deno.test("flipped_preference_labels is silent on hard pairs that are learned slowly", () => {
  for (const updates of [120, 190, 250]) {
    for (const pairs of [4, 16, 64]) {
      assert.equal(calledChance(updates, pairs, 0.6, 0.52), 0, `${updates} updates of ${pairs} pairs`);
    }
  }
});

Deno.test("flipped_preference_labels sees held-out pairs at chance for a hundred updates, whatever is learned of those of training", () => {
  const said = (
    held: number,
    margin: number,
    trained: number,
    { records = 150, count = 10, settings = {}, own = false } = {},
  ) => {
    const evaluationSteps = Array.from({ length: count }, (_, i) => Math.round((i + 1) * records / count));
    const noise = (value: number, i: number) => value + 0.02 * Math.sin(7.3 * i);
    const found = rule.check(viewOf({
      ...{ algorithm: "dpo", own, settings },
      columns: {
        loss: ramp(0.69, 0.66, records),
        grad_norm: flat(0.5, records),
        preference_accuracy: ramp(0.5, trained, records, 0.02),
        chosen_reward: ramp(0, 0.2, records),
        reward_margin: ramp(0, 0.05, records, 0.001),
      },
      evaluationSteps,
      evaluations: {
        preference_accuracy: evaluationSteps.map((_, i) => noise(held, i)),
        reward_margin: evaluationSteps.map((_, i) => margin + 0.001 * Math.sin(i)),
      },
    }));
    return found !== null && "message" in found && /^Held-out accuracy/.test(found.message);
  };
  assert.equal(said(0.48, -0.01, 0.62), true);
  assert.equal(said(0.56, -0.01, 0.62), false, "it is learned, a little");
  assert.equal(said(0.48, 0.02, 0.62), false, "the margin is");
  assert.equal(said(0.48, -0.01, 0.95), false, "that is overfitting");
  assert.equal(said(0.48, -0.01, 0.62, { records: 90 }), false, "too few updates");
  assert.equal(said(0.48, -0.01, 0.62, { count: 6 }), false, "too few evaluations");
  assert.equal(said(0.52, -0.01, 0.62), false, "above a half, of pairs whose number is not told");
  assert.equal(said(0.3, -0.01, 0.62), false, "far below: then they are swapped");
  const of = (validation_rows: number) => said(0.5, -0.01, 0.62, { own: true, settings: { validation_rows } });
  assert.deepEqual([300, 600].map(of), [false, true], "two errors of 300 pairs are 0.058, of 600 0.041");
});
