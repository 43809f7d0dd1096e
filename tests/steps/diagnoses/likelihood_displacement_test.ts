/** The rule likelihood_displacement: its fault, as our DPO with sigmoid alone had it, and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { begins, flat, ramp, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";
import { between, type Curve, noisy } from "./long_run.ts";
import { from, healthyPairs, longPairs, settles } from "./long_pairs.ts";

/** Pairs told apart, in training and held out, while their texts go where they are told. */
const pairs = (columns: Run["columns"], more: Omit<Run, "columns"> = {}): Run => ({
  algorithm: "dpo",
  own: true,
  settings: { loss: "sigmoid", kl_coef: 0.1, learning_rate: 3e-4, parameters: 109_248, validation_rows: 256 },
  evaluations: { preference_accuracy: [0.97, 0.996, 1], reward_margin: [1.4, 5.4, 7.4] },
  ...more,
  columns: {
    loss: ramp(0.69, 0.01, 30, 0),
    chosen_logprob: ramp(-1.3, -9, 30, 0.1),
    rejected_logprob: ramp(-20, -100),
    chosen_reward: ramp(0, -0.77, 30, 0.001),
    reward_margin: ramp(0, 7.5),
    preference_accuracy: ramp(0.7, 1, 30, 0),
    grad_norm: ramp(1.5, 0.6),
    learning_rate: flat(3e-4),
    ...columns,
  },
});

/** The same with a loss that drops where an epoch of ten records starts. */
const epochs = {
  epoch: Array.from({ length: 30 }, (_, i) => 0.1 * (i + 1)),
  loss: Array.from({ length: 30 }, (_, i) => 0.69 * 0.5 ** Math.floor(i / 10)),
};

testRule("likelihood_displacement", {
  fires: {
    "a long run whose chosen texts sink with the rejected ones while the margin grows": longPairs({
      seed: 1,
      margin: (t) => settles(1)(t) + from(0.3, 3)(t),
      chosen: from(0.3, -5),
    }),
    "KTO with both rewards down and a margin that stands still": longPairs({
      seed: 2,
      algorithm: "kto",
      margin: settles(1.6, 0.15),
      chosen: from(0.4, -4),
    }),
    "chosen texts that fall from -1.3 to -9 nats while held-out pairs are told apart": pairs({}),
    "the same with a loss that drops at the starts of epochs": pairs(epochs),
  },
  silent: {
    "ORPO, whose rewards are log-probs and rise": (() => {
      const run = longPairs({ seed: 5, margin: settles(0.025, 0.2), chosen: (t) => -0.138 + 0.04 * t });
      const rewards = ["chosen", "rejected"].map((side) => [side, run.columns![`${side}_reward`]!] as const);
      const logprobs = rewards.map(([side, cells]) => [`${side}_logprob`, cells.map((cell) => 10 * cell!)]);
      return { ...run, columns: { ...run.columns, ...Object.fromEntries(logprobs) } };
    })(),
    "a long run whose chosen texts lose a fifth of what the margin gains": longPairs({
      seed: 3,
      margin: settles(4),
      chosen: settles(-0.8),
    }),
    "a long run that unlearns its pairs": longPairs({ seed: 4, margin: from(0.3, -3), chosen: from(0.3, -1.5) }),
    "chosen texts that lose two nats": pairs({ chosen_logprob: ramp(-1.3, -3.3, 30, 0.1) }),
    "long chosen texts that lose a tenth": pairs({
      chosen_logprob: ramp(-280, -310),
      rejected_logprob: ramp(-260, -380),
    }),
    "a margin that does not grow": pairs({ reward_margin: ramp(0, -1) }),
    "batches of other texts, each of them likelier than it was": pairs({ chosen_reward: ramp(0, 0.5) }),
    "a loss that lowers the chosen texts on purpose": pairs({}, { settings: { loss: "apo_down" } }),
    "answers of unequal length": pairs({
      chosen_logprob: Array.from({ length: 30 }, (_, i) => i % 7 === 6 ? -60 : -3 - i % 3),
    }),
    "no pairs": pairs({}, { algorithm: "sft" }),
  },
});

Deno.test("likelihood_displacement adds the likelihood to sigmoid, and says why it is no overfitting", () => {
  const { findings } = diagnoseRun(viewOf(pairs(epochs)));
  assert.deepEqual(findings.map(({ cause }) => cause), ["likelihood_displacement"]);
  assert.deepEqual(findings[0]!.remedy.patches.map(({ key, value }) => [key, value]), [
    ["dpo_loss", ["sigmoid", "sft"]],
    ["loss_weights", [1, 0.3]],
  ]);
  assert.match(JSON.stringify(findings[0]!.ruled_out), /held-out accuracy of pairs is 1/);
});

Deno.test("likelihood_displacement raises KTO's beta, and lowers a rate that is not the usual one", () => {
  const patches = (learning_rate: number) => {
    const run = pairs({ rejected_reward: ramp(0, -8.3), learning_rate: flat(learning_rate) }, {
      algorithm: "kto",
      settings: { loss: "kto", kl_coef: 0.1, learning_rate, parameters: 109_248 },
    });
    const { findings } = diagnoseRun(viewOf(run));
    assert.equal(findings[0]!.cause, "likelihood_displacement", findings[0]!.message);
    return findings[0]!.remedy.patches.map(({ key, value }) => [key, value]);
  };
  assert.deepEqual(patches(3e-4), [["beta", 0.2]]);
  assert.deepEqual(patches(9e-4), [["learning_rate", 2.7e-4], ["beta", 0.2]]);
});

silentOn(
  "likelihood_displacement",
  "healthy runs on pairs",
  Array.from({ length: 60 }, (_, seed) => healthyPairs(seed)),
);

Deno.test("likelihood_displacement says from which train step on the chosen texts sink", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const run = longPairs({ seed, margin: (t) => settles(1)(t) + from(0.5, 2)(t), chosen: from(0.5, -3) });
    const [first] = diagnoseRun(viewOf(run)).findings;
    assert(first!.train_steps[0]! >= 150 && first!.train_steps[0]! <= 190, `${first!.train_steps[0]}`);
    assert.deepEqual(first!.evidence.slice(0, 3).map(({ train_step }) => train_step), [1, first!.train_steps[0], 300]);
  }
});

Deno.test("likelihood_displacement begins where the chosen texts left their first level", () => {
  const margin = {
    reward_margin: ramp(0, 7.5, 60),
    chosen_reward: ramp(0, -0.77, 60, 0.001),
    loss: ramp(0.69, 0.01, 60, 0),
  };
  const falls = [...ramp(-1.3, -1.3, 20, 0.1), ...ramp(-1.3, -9, 40, 0.1)];
  const first = begins(
    "likelihood_displacement",
    pairs({ ...margin, chosen_logprob: falls, rejected_logprob: ramp(-20, -99, 60) }),
  );
  assert(first >= 18 && first <= 26, String(first));
});

Deno.test("likelihood_displacement is told early where the chosen texts fall by twice the margin, not where it keeps up", () => {
  const check = (margin: number, chosen: number) =>
    DIAGNOSES.likelihood_displacement.check(viewOf(longPairs({
      seed: 3,
      rough: 0.02,
      records: 120,
      margin: from(0, margin),
      chosen: from(0, chosen),
    })));
  assert.notEqual(check(0.06, -0.18), null, "three times the margin");
  assert.equal(check(0.15, -0.18), null, "little more than the margin");
  assert.equal(check(0.02, -0.06), null, "next to nothing");
});

Deno.test("likelihood_displacement sees short texts that lose most of their likelihood, also where the end makes half of it good", () => {
  const dip = (at: number) => -0.5 - 8 * Math.min(1, at / 0.2) + 5 * Math.max(0, at - 0.5) / 0.5;
  const said = (chosen: Curve, margin = between(0, 1.4)) =>
    DIAGNOSES.likelihood_displacement.check(viewOf({
      algorithm: "kto",
      columns: {
        loss: noisy(between(0.5, 0.4), 0.005),
        chosen_logprob: noisy(chosen, 0.6),
        rejected_logprob: noisy((at) => chosen(at) - 20 * at, 0.6),
        reward_margin: noisy(margin, 0.02),
      },
    }));
  const found = said(dip);
  assert(
    found !== null && "message" in found && found.trainSteps[0]! < 45,
    String(found && "message" in found && found.trainSteps[0]),
  );
  assert.equal(said(between(-0.5, -2.2)), null, "1.7 nats are a side of the margin");
  assert.equal(said(dip, between(1, 0)), null, "the margin falls");
});
