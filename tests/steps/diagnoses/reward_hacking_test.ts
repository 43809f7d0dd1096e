/** The rule reward_hacking: its fault and its look-alikes. */
import { healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("reward_hacking", {
  fires: {
    "a proxy to its maximum while accuracy falls to 0": healthyBut({
      reward: ramp(0.9, 3),
      "reward.accuracy_reward": ramp(0.6, 0, 30, 0),
      "reward.evidence_reward": ramp(0.8, 3),
    }),
  },
  silent: {
    "both rise": healthyBut({ "reward.format_reward": ramp(0.3, 0.9) }),
    "two records only": {
      columns: {
        "reward.accuracy_reward": [0.16, 0.118],
        "reward.format_reward": [0.476, 0.554],
        reward: [0.71, 0.69],
      },
    },
  },
});
