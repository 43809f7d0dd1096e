/** The rule learning_rate_too_high: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("learning_rate_too_high", {
  fires: {
    "0.3 and a policy that is gone after one update": healthyBut({
      learning_rate: flat(0.3),
      entropy: [0.32, 0.09, ...flat(0.001, 28)],
      reward: [1.06, ...flat(0, 29)],
      "reward.accuracy_reward": [0.4, ...flat(0, 29)],
      zero_spread_fraction: [0, ...flat(1, 29)],
      completion_length: [8, ...flat(16, 29)],
      truncated_fraction: [0.03, ...flat(1, 29)],
      grad_norm: [0.9, ...flat(0, 29)],
    }),
    "a configuration with 0.1": { settings: { learning_rate: 0.1 } },
    "half of the weights' norm in one step": healthyBut({ relative_update: [0.5, ...flat(0.01, 29)] }, { own: true }),
  },
  silent: {
    "3e-4 that a tiny model stands": healthyBut({ learning_rate: flat(3e-4) }),
    "a usual rate with a NaN": healthyBut({ grad_norm: [0.5, 0.6, ...flat(NaN, 28)] }),
    "a clean relative update": healthyBut({ relative_update: flat(0.056) }, { own: true }),
  },
});
