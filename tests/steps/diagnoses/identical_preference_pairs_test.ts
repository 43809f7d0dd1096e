/** The rule identical_preference_pairs: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("identical_preference_pairs", {
  fires: {
    "ln 2 for ever with equal log-probs": {
      algorithm: "dpo",
      columns: {
        loss: flat(0.6931),
        grad_norm: flat(4e-8),
        reward_margin: flat(0),
        chosen_logprob: ramp(-9, -8),
        rejected_logprob: ramp(-9, -8),
      },
    },
    "the first record of a run of ours, by any loss": {
      algorithm: "dpo",
      own: true,
      columns: { loss: [25], grad_norm: [2e-8], reward_margin: [0], chosen_logprob: [-9], rejected_logprob: [-9] },
    },
  },
  silent: {
    "the first record of a run of ours whose texts differ": {
      algorithm: "dpo",
      own: true,
      columns: { loss: [Math.LN2], grad_norm: [2], reward_margin: [0], chosen_logprob: [-9], rejected_logprob: [-9.1] },
    },
    "beta 0: other texts, gradient exactly 0": {
      algorithm: "dpo",
      columns: {
        loss: flat(0.6931),
        grad_norm: flat(0),
        reward_margin: flat(0),
        chosen_logprob: ramp(-9, -8),
        rejected_logprob: ramp(-19, -18),
      },
    },
    "a run that learns": {
      algorithm: "dpo",
      columns: { loss: ramp(0.6931, 0.5), grad_norm: ramp(2, 3), reward_margin: ramp(0, 0.5) },
    },
  },
});
