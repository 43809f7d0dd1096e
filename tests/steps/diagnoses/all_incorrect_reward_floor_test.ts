/** The rule all_incorrect_reward_floor: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("all_incorrect_reward_floor", {
  fires: {
    "-1 on every record with free lengths": healthyBut({
      reward: flat(-1),
      "reward.accuracy_reward": flat(-1),
      zero_spread_fraction: flat(1),
      reward_std: flat(0),
      grad_norm: flat(5e-5),
    }),
    "one record late in the run": {
      columns: {
        reward: [-1],
        reward_std: [0],
        zero_spread_fraction: [1],
        epoch: [0.45],
        grad_norm: [7e-5],
        loss: [0],
      },
    },
  },
  silent: {
    "a single early record at 0": {
      columns: { reward: [0], reward_std: [0], zero_spread_fraction: [1], epoch: [0.01], grad_norm: [0], loss: [0] },
    },
    "a constant that is no floor": healthyBut({ reward: flat(0.5), zero_spread_fraction: flat(1) }),
  },
});
