/** The rule flipped_preference_labels: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("flipped_preference_labels", {
  fires: {
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
