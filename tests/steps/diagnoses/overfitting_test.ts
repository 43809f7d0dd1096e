/** The rule overfitting: its fault and its look-alikes. */
import assert from "node:assert/strict";
import type { Found } from "../../../steps/diagnoses/diagnosis.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { begins, healthyBut, ramp, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";
import { between, longRun, noisy } from "./long_run.ts";
import { from, healthyPairs, longPairs, settles } from "./long_pairs.ts";

/** A run of ours that ends at 99 % in training, and its only held-out score. */
const heldOut = (score: number, prompts: number, split = "held_out") => ({
  ...healthyBut({ accuracy: ramp(0.5, 0.99, 30, 0), reward: ramp(0.5, 0.99, 30, 0), "reward.accuracy_reward": [] }),
  own: true,
  scores: [{ name: "evaluations.correct", split, mode: "sampled", prompts, trainSteps: [30], values: [score] }],
});

/** DPO of ours at 94 % in training, measured on so many rows. */
const preferences = (accuracy: number, validation_rows: number) => ({
  algorithm: "dpo",
  own: true,
  settings: { validation_rows },
  columns: { loss: ramp(0.69, 0.4, 30, 0), preference_accuracy: ramp(0.6, 0.95, 30, 0).map((x) => Math.max(x, 0.94)) },
  evaluations: { preference_accuracy: [accuracy, accuracy, accuracy] },
});

/** Pairs of which those of training are recognised, or not, where an epoch of ten records starts. */
const stairs = (preference_accuracy: readonly number[]) => ({
  algorithm: "dpo",
  own: true,
  settings: { validation_rows: 250 },
  columns: {
    epoch: Array.from({ length: 40 }, (_, i) => 0.1 * (i + 1)),
    loss: Array.from({ length: 40 }, (_, i) => Math.LN2 * 0.7 ** (Math.ceil(0.1 * (i + 1)) - 1)),
    preference_accuracy: ramp(0.6, 0.98, 40, 0),
  },
  evaluations: { preference_accuracy },
});

/** Supervised stairs of three epochs, and what each twentieth of the run says of held-out rows. */
const supervisedStairs = (column: string, held: (at: number) => number): Run => ({
  algorithm: "sft",
  columns: {
    epoch: Array.from({ length: 400 }, (_, i) => 0.0075 * (i + 1)),
    loss: noisy((at) => at < 1 / 3 ? 1.5 : at < 2 / 3 ? 1.2 : 0.9, 0.02, { records: 400 }),
  },
  evaluations: { [column]: noisy(held, 0.005, { records: 20 }) },
  evaluationSteps: Array.from({ length: 20 }, (_, i) => 20 * (i + 1)),
});

testRule("overfitting", {
  fires: {
    "a margin of 7 on pairs of training, and none on those held out": longPairs({
      seed: 7,
      margin: (t) => settles(1)(t) + from(0.2, 6)(t),
      held: () => 0.03,
    }),
    "a long run whose held-out loss turns while the margin of training grows": longPairs({
      seed: 1,
      margin: (t) => settles(1)(t) + from(0.4, 2.2)(t),
      held: (t) => settles(0.8)(t) - from(0.4, 0.7)(t),
    }),
    "KTO that gains its margin on the pairs of training alone": longPairs({
      seed: 2,
      algorithm: "kto",
      margin: (t) => settles(1)(t) + from(0.4, 2)(t),
      held: settles(0.8),
    }),
    "94 % of the pairs in training and 54 % of 130 that were not trained on": { ...preferences(0.54, 130) },
    "a loss that drops wherever an epoch of ten records starts": {
      algorithm: "dpo",
      columns: {
        epoch: Array.from({ length: 40 }, (_, i) => 0.1 * (i + 1)),
        loss: Array.from({ length: 40 }, (_, i) => Math.LN2 * 0.7 ** (Math.ceil(0.1 * (i + 1)) - 1)),
      },
    },
    "the same while held-out pairs stay at 70 %": stairs([0.7, 0.72, 0.7]),
    "supervised stairs whose held-out loss fell in the first epoch alone": supervisedStairs(
      "loss",
      (at) => Math.max(1.4, 1.5 - at),
    ),
    "evaluation up, training down": {
      algorithm: "sft",
      columns: { loss: ramp(2, 0.1), grad_norm: ramp(1, 0.5) },
      evaluations: { loss: [1.9, 1.6, 1.8, 2.2, 2.7] },
    },
    "a solved training set that does not carry over": healthyBut({
      reward: ramp(0.3, 0.98),
      "reward.accuracy_reward": ramp(0.3, 0.98),
    }, { evaluations: { reward: [0.2, 0.2, 0.25] } }),
    "99 % right in training and 25 % of 60 held-out prompts in a run of ours": heldOut(0.25, 60),
  },
  silent: {
    "stairs of epochs while the held-out loss falls": supervisedStairs("loss", (at) => 1.5 - 0.25 * at),
    "stairs of epochs while the held-out accuracy rises": supervisedStairs("accuracy", (at) => 0.5 + 0.25 * at),
    "a margin that held-out pairs follow at less than half, whose loss falls on": longPairs({
      seed: 5,
      margin: from(0, 3),
      held: from(0, 1.35),
    }),
    "a margin that grows a little beyond what is held out": longPairs({
      seed: 6,
      margin: (t) => settles(1)(t) + from(0.4, 0.5)(t),
      held: settles(0.95, 0.1),
    }),
    "a long run whose held-out pairs lag and follow": longPairs({
      seed: 3,
      margin: settles(3),
      held: settles(2),
    }),
    "a held-out loss that rises with that of training": longPairs({
      seed: 4,
      margin: (t) => settles(1.5)(t) - from(0.5, 1)(t),
      held: (t) => settles(1.2)(t) - from(0.5, 0.8)(t),
    }),
    "a loss that drops at the starts of epochs while held-out pairs are told apart as well": stairs([0.97, 1, 1]),
    "94 % of the pairs in training and 54 % of 13 that were not trained on": { ...preferences(0.54, 13) },
    "a loss that waves with epochs of five records": {
      algorithm: "dpo",
      columns: {
        epoch: Array.from({ length: 30 }, (_, i) => 0.2 * (i + 1)),
        loss: Array.from({ length: 30 }, (_, i) => 0.6 * 0.8 ** Math.floor(i / 5)),
      },
    },
    "99 % right in training and 75 % held out": heldOut(0.75, 60),
    "99 % right in training and one of two prompts held out": heldOut(0.5, 2),
    "prompts of the training split": heldOut(0.25, 60, "train"),
    "both fall": { algorithm: "sft", columns: { loss: ramp(2, 1) }, evaluations: { loss: [2, 1.8, 1.6, 1.5, 1.4] } },
    "noise in the evaluation": {
      algorithm: "sft",
      columns: { loss: ramp(2, 1) },
      evaluations: { loss: [1.5, 1.51, 1.5, 1.51, 1.505] },
    },
  },
});

silentOn("overfitting", "healthy runs on pairs", Array.from({ length: 60 }, (_, seed) => healthyPairs(seed)));

Deno.test("overfitting begins with the evaluation since which held-out pairs lag", () => {
  const run = (held: readonly number[]): Run => ({
    algorithm: "dpo",
    columns: {
      loss: ramp(0.69, 0.2, 100),
      preference_accuracy: ramp(0.6, 0.97, 100, 0).map((x) => Math.min(0.95, x + 0.2)),
    },
    evaluationSteps: [20, 40, 60, 80, 100],
    evaluations: { preference_accuracy: held },
  });
  assert.equal(begins("overfitting", run([0.7, 0.7, 0.6, 0.58, 0.55])), 60);
  assert.equal(begins("overfitting", run([0.5, 0.5, 0.5, 0.5, 0.5])), 20);
});

Deno.test("overfitting is not told by one bad last evaluation", () => {
  const run = (last: readonly number[]): Run => {
    const good = longPairs({ seed: 3, margin: settles(3), held: settles(2) }), loss = good.evaluations!.loss!;
    return {
      ...good,
      evaluations: { ...good.evaluations, loss: [...loss.slice(0, loss.length - last.length), ...last] },
    };
  };
  assert.equal(DIAGNOSES.overfitting.check(viewOf(run([0.9]))), null);
  assert.notEqual(DIAGNOSES.overfitting.check(viewOf(run([0.8, 0.9]))), null);
});

Deno.test("overfitting compares an evaluation with the training of its time, and a rising one by where it is", () => {
  const reward = noisy(between(0.4, 0.97, 0, 0.3), 0.005);
  const check = (evaluationSteps: number[], values: number[]) =>
    DIAGNOSES.overfitting.check(viewOf(longRun({ reward, "reward.accuracy_reward": [] }, {
      evaluationSteps,
      evaluations: { reward: values },
    })));
  assert.equal(check([10, 20, 30], [0.42, 0.45, 0.5]), null, "evaluated before it was learned");
  assert.equal(check([10, 20, 200], [0.42, 0.45, 0.9]), null, "the last one is where it is");
  assert.match(JSON.stringify(check([200, 250, 300], [0.5, 0.5, 0.5])), /in training and 0.5 held out/);
});

Deno.test("overfitting compares no sum of two functions with a held-out reward that may be one of them", () => {
  const said = (evaluations: Record<string, readonly number[]>) => {
    const parts = { "reward.accuracy_reward": ramp(0.3, 0.5), "reward.format_reward": ramp(0.3, 0.49) };
    const run = { ...healthyBut({ reward: ramp(0.6, 0.99), ...parts }), evaluationSteps: [10, 20, 30], evaluations };
    return DIAGNOSES.overfitting.check(viewOf(run));
  };
  const reward = [0.5, 0.5, 0.5];
  assert.equal(said({ reward }), null);
  assert.notEqual(said({ reward, "reward.accuracy_reward": [0.2, 0.2, 0.2] }), null, "the same sum");
});

Deno.test("overfitting offers no single pass to rows that were seen once, and the best train step where they were seen often", () => {
  const turns = longPairs({
    seed: 1,
    margin: (t) => settles(1)(t) + from(0.4, 2.2)(t),
    held: (t) => settles(0.8)(t) - from(0.4, 0.7)(t),
  });
  const over = (passes: number) => {
    const epoch = Array.from({ length: 300 }, (_, i) => passes * (i + 1) / 300);
    const found = DIAGNOSES.overfitting.check(viewOf({ ...turns, columns: { ...turns.columns, epoch } }));
    return (found as Found).remedy!.map((patch) => "option" in patch ? patch.option : patch.key);
  };
  assert(!over(1).some((option) => option === "epochs" || option === "train_steps"), over(1).join());
  assert.deepEqual(over(3), ["train_steps"]);
});
