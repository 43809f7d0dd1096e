/** The rule constant_reward: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("constant_reward", {
  fires: {
    "0.5 for every sample": healthyBut({
      reward: flat(0.5),
      "reward.accuracy_reward": [],
      "reward.quality": flat(0.5),
      zero_spread_fraction: flat(1),
      reward_std: flat(0),
      grad_norm: flat(0),
    }),
  },
  silent: {
    "groups that tie at levels of their own, whose mean is no completion's reward": {
      columns: { reward: flat(0.38, 5), reward_std: flat(0.14, 5), zero_spread_fraction: flat(1, 5) },
    },
    "one reward on every second record only": healthyBut({
      reward: flat(0.5),
      "reward.accuracy_reward": [],
      zero_spread_fraction: flat(1).map((value, i) => i % 2 === 0 ? value : 0.2),
    }),
    "the floor": healthyBut({ reward: flat(0), "reward.accuracy_reward": flat(0), zero_spread_fraction: flat(1) }),
    "the maximum": healthyBut({ reward: flat(1), "reward.accuracy_reward": flat(1), zero_spread_fraction: flat(1) }),
  },
});
