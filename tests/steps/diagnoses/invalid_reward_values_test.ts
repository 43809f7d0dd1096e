/** The rule invalid_reward_values: its fault and its look-alikes. */
import { flat, group, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("invalid_reward_values", {
  fires: {
    "one sample of a million": healthyBut({}, {
      completions: group("1+1=", ["2", "3", "4", "5", "6", "7", "8", "9"], [1, 0, 0, 1e6, 0, 1, 0, 0]),
    }),
    "one NaN sample in a group that still gets an advantage": healthyBut({}, {
      completions: group("1+1=", ["2", "3", "4", "5"], [null, 0, 1, 0], { advantage: 0.4 }),
    }),
    "an infinite mean": healthyBut({ reward: [...ramp(0.3, 0.5, 10), Infinity, ...ramp(0.5, 0.6, 19)] }),
    "rewards of a million": healthyBut({
      reward: ramp(1e6, 1.1e6, 30, 100),
      "reward.accuracy_reward": [],
      grad_norm: flat(2e5),
    }),
  },
  silent: {
    "two tables whose reward names differ": healthyBut({}, {
      completions: [
        ...group("1+1=", ["2", "3"], [1, 0]),
        ...group("1+1=", ["2"], [1]).map((row) => ({ ...row, rewards: { "accuracy_rewa…": 1 } })),
      ],
    }),
    "an abstention of the whole group": healthyBut({}, {
      completions: group("write code", ["a", "b", "c", "d"], flat(null, 4), { advantage: 0.1 }),
    }),
    "NaN rewards after NaN weights": healthyBut({
      reward: [...ramp(0.3, 0.5, 20), ...flat(NaN, 10)],
      grad_norm: [...ramp(0.3, 0.5, 15), ...flat(NaN, 15)],
    }),
  },
});
