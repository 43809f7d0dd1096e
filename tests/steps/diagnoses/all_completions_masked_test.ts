/** The rule all_completions_masked: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("all_completions_masked", {
  fires: {
    "97 % masked by the setting": healthyBut({
      truncated_fraction: flat(0.97),
      grad_norm: ramp(14, 20),
      zero_spread_fraction: flat(0),
    }, { settings: { mask_truncated_completions: true } }),
    "everything truncated, entropy 0, spread in the batch": healthyBut({
      loss: flat(0),
      grad_norm: flat(0),
      entropy: flat(0),
      truncated_fraction: flat(1),
      zero_spread_fraction: flat(0),
    }),
    "no loss token in a run of ours": healthyBut({ loss_tokens: flat(0) }, { own: true }),
  },
  silent: {
    "a cut gradient path at normal entropy": healthyBut({ loss: flat(0), grad_norm: flat(0) }),
    "truncated but in the loss": healthyBut({ truncated_fraction: flat(1) }),
  },
});
