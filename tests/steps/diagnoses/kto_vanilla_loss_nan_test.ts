/** The rule kto_vanilla_loss_nan: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("kto_vanilla_loss_nan", {
  fires: {
    "NaN at the first batch without a class": {
      algorithm: "kto",
      columns: {
        loss: [...ramp(0.5, 0.49, 7, 0), ...flat(NaN, 8)],
        grad_norm: [...ramp(0.2, 0.3, 7), ...flat(NaN, 8)],
        chosen_reward: [...ramp(0, 0.02, 8, 0), ...flat(0, 7)],
        rejected_reward: [...ramp(0, -0.02, 7, 0), null, ...flat(0, 7)],
      },
    },
    "OpenRLHF with --vanilla_loss": {
      algorithm: "kto",
      system: "openrlhf",
      settings: { vanilla_loss: true, micro_train_batch_size: 1 },
      messages: ["kto_loss=nan, loss is nan"],
    },
  },
  silent: {
    "NaN before any update": {
      algorithm: "kto",
      columns: {
        loss: flat(NaN),
        grad_norm: flat(NaN),
        chosen_reward: flat(NaN),
        rejected_reward: flat(NaN),
        entropy: flat(NaN),
      },
    },
  },
});
