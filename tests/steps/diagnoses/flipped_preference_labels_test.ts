/** The rule flipped_preference_labels: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, ramp, testRule, viewOf } from "./synthetic.ts";

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

testRule("flipped_preference_labels", {
  fires: {
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
