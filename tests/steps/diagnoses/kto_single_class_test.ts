/** The rule kto_single_class: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("kto_single_class", {
  fires: {
    "no rejected row on any record": {
      algorithm: "kto",
      columns: {
        loss: ramp(0.5, 0.49, 30, 0),
        chosen_reward: ramp(0, 0.03, 30, 0),
        kl: flat(0),
        grad_norm: ramp(0.1, 0.05),
      },
    },
    "the first record of a run of ours that counts no undesirable row": {
      algorithm: "kto",
      own: true,
      settings: { desirable_completions: 90, undesirable_completions: 0 },
      columns: { loss: [0.5], chosen_reward: [0], rejected_reward: [null], grad_norm: [0.1] },
    },
  },
  silent: {
    "the first record of a run of ours whose batch lacks a class by chance": {
      algorithm: "kto",
      own: true,
      settings: { desirable_completions: 90, undesirable_completions: 8 },
      columns: { loss: [0.5], chosen_reward: [0], rejected_reward: [null], grad_norm: [0.1] },
    },
    "a side that is missing now and then": {
      algorithm: "kto",
      columns: {
        loss: ramp(0.5, 0.4),
        chosen_reward: ramp(0, 0.3),
        rejected_reward: ramp(0, -0.3).map((value, i) => i % 5 ? value : null),
      },
    },
  },
});
