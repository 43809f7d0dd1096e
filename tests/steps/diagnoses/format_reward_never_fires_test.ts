/** The rule format_reward_never_fires: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("format_reward_never_fires", {
  fires: {
    "a format reward of exactly 0 beside a moving accuracy": healthyBut({
      "reward.format_reward": flat(0),
      "reward_std.format_reward": flat(0),
    }),
    "the only reward at 0 on one record": {
      columns: {
        reward: [0],
        reward_std: [0],
        zero_spread_fraction: [1],
        "reward.Format": [0],
        "reward_std.Format": [0],
        truncated_fraction: [0.125],
        grad_norm: [0],
        loss: [0],
      },
    },
  },
  silent: {
    "cut completions": healthyBut({ "reward.format_reward": flat(0), truncated_fraction: flat(0.9) }),
    "a format reward that fires now and then": healthyBut({ "reward.format_reward": ramp(0.02, 0.1, 30, 0.001) }),
  },
});
