/** The rule all_completions_masked: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("all_completions_masked", {
  fires: {
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
