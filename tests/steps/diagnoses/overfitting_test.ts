/** The rule overfitting: its fault and its look-alikes. */
import { healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("overfitting", {
  fires: {
    "evaluation up, training down": {
      algorithm: "sft",
      columns: { loss: ramp(2, 0.1), grad_norm: ramp(1, 0.5) },
      evaluations: { loss: [1.9, 1.6, 1.8, 2.2, 2.7] },
    },
    "a solved training set that does not carry over": healthyBut({
      reward: ramp(0.3, 0.98),
      "reward.accuracy_reward": ramp(0.3, 0.98),
    }, { evaluations: { reward: [0.2, 0.2, 0.25] } }),
  },
  silent: {
    "both fall": { algorithm: "sft", columns: { loss: ramp(2, 1) }, evaluations: { loss: [2, 1.8, 1.6, 1.5, 1.4] } },
    "noise in the evaluation": {
      algorithm: "sft",
      columns: { loss: ramp(2, 1) },
      evaluations: { loss: [1.5, 1.51, 1.5, 1.51, 1.505] },
    },
  },
});
