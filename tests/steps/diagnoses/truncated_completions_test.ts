/** The rule truncated_completions: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("truncated_completions", {
  fires: {
    "all completions cut and reward 0": healthyBut({
      truncated_fraction: flat(1),
      completion_length: flat(256),
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
      grad_norm: flat(0),
      reward_std: flat(0),
    }),
    "shortest = mean = longest where no share is printed": {
      algorithm: "ppo",
      columns: {
        completion_length: flat(512),
        completion_length_min: flat(512),
        completion_length_max: flat(512),
        reward: flat(0),
        reward_max: flat(0),
        reward_min: flat(0),
      },
    },
    "stumps of which none is right in five train steps of a run of ours, although a reward is paid for them": {
      ...healthyBut({
        truncated_fraction: flat(0.98, 5),
        completion_length: flat(3.99, 5),
        reward: ramp(0.4, 0.8, 5),
        "reward.accuracy_reward": [],
        "reward.mine": ramp(0.4, 0.8, 5),
        accuracy: flat(0, 5),
      }),
      own: true,
    },
  },
  silent: {
    "stumps in a run of ours of which some are right": {
      ...healthyBut({ truncated_fraction: flat(0.98), "reward.accuracy_reward": [], accuracy: ramp(0.2, 0.4) }),
      own: true,
    },
    "truncation with a reward that moves": healthyBut({ truncated_fraction: flat(0.75) }),
    "wrong answers of free length": healthyBut({
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }),
  },
});
