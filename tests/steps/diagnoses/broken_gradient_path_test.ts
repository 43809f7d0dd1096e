/** The rule broken_gradient_path: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("broken_gradient_path", {
  fires: {
    "gradient 0 with spread in the groups, one record": {
      system: "ms-swift",
      columns: {
        loss: [0],
        grad_norm: [0],
        reward: [0.34],
        reward_std: [0.44],
        zero_spread_fraction: [0],
        kl: [0],
        truncated_fraction: [0],
      },
    },
    "many records with a batch deviation only": healthyBut({
      grad_norm: flat(0),
      zero_spread_fraction: [],
      kl: flat(0),
    }),
    "supervised training without a gradient": { algorithm: "sft", columns: { loss: ramp(2, 2), grad_norm: flat(0) } },
  },
  silent: {
    "flat groups": healthyBut({ grad_norm: flat(0), zero_spread_fraction: flat(1) }),
    "everything masked": healthyBut({
      kl: flat(0),
      grad_norm: flat(0),
      entropy: flat(0),
      truncated_fraction: flat(1),
      zero_spread_fraction: flat(0),
    }),
    "most completions truncated and masked, the rest in flat groups": {
      ...healthyBut({ grad_norm: flat(0), truncated_fraction: flat(0.9), zero_spread_fraction: flat(0.5) }),
      settings: { mask_truncated_completions: true },
    },
  },
});
