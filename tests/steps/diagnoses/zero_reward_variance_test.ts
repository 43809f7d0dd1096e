/** The rule zero_reward_variance: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("zero_reward_variance", {
  fires: {
    "groups that tie at different rewards": healthyBut({
      zero_spread_fraction: flat(0.95),
      grad_norm: flat(0.001),
      reward: ramp(0.4, 0.5),
    }),
    "one record whose every group ties between floor and maximum": {
      columns: { reward: [3], reward_std: [0], zero_spread_fraction: [1], grad_norm: [0], loss: [0] },
    },
  },
  silent: {
    "single flat records of a small run": healthyBut({ zero_spread_fraction: ramp(0.3, 0.7) }),
    "a batch deviation of 0 that comes with the maximum": healthyBut({
      reward: flat(1),
      "reward.accuracy_reward": flat(1),
      zero_spread_fraction: flat(1),
    }),
  },
});
