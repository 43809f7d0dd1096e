/** The rule preference_margin_blowup: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("preference_margin_blowup", {
  fires: {
    "a margin of hundreds": {
      algorithm: "dpo",
      columns: {
        loss: [0.6931, ...flat(0, 29)],
        reward_margin: [0, ...ramp(60, 700, 29)],
        preference_accuracy: flat(1),
        learning_rate: flat(5e-3),
        grad_norm: ramp(3, 0.1),
      },
    },
  },
  silent: {
    "a margin of 2": {
      algorithm: "dpo",
      columns: { loss: ramp(0.69, 0.2), reward_margin: ramp(0, 2), preference_accuracy: ramp(0.5, 1) },
    },
  },
});
