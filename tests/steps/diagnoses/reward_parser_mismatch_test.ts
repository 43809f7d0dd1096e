/** The rule reward_parser_mismatch: its fault and its look-alikes. */
import { flat, group, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("reward_parser_mismatch", {
  fires: {
    "right sums with reward 0": healthyBut({
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: [[1, 2], [3, 4], [5, 5], [2, 9]].flatMap(([a, b]) =>
        group(`${a}+${b}=`, [
          `<answer>${a! + b!}</answer>`,
          `<answer>${a! + b!}</answer>`,
          "<answer>1</answer>",
          "<answer>0</answer>",
        ], flat(0, 4))
      ),
    }),
    "a fallback of 0.5 on training and evaluation": healthyBut({
      "reward.accuracy_reward": flat(0.5, 2),
      "reward.steps_reward": [0.89, 0.91],
      reward: [1.38, 1.4],
      zero_spread_fraction: [],
      kl: [],
      entropy: [],
      loss: [0.01, 0.01],
      grad_norm: [3.2, 3.6],
      learning_rate: [5e-6, 5e-6],
      reward_std: [0.14, 0.13],
      completion_length: [251, 252],
      truncated_fraction: [],
      clip_fraction: [],
    }, { evaluations: { "reward.accuracy_reward": [0.5] } }),
    "accuracy exactly 0 beside a good format": healthyBut({
      "reward.accuracy_reward": flat(0),
      "reward.format_reward": ramp(0.7, 0.9),
      reward: ramp(0.7, 0.9),
    }),
  },
  silent: {
    "three early records of wrong answers in a format half learned": healthyBut({
      reward: [0.6, 0.62, 0.61],
      "reward.accuracy_reward": [0, 0, 0],
      "reward.format_reward": [0.6, 0.62, 0.61],
    }),
    "wrong sums": healthyBut({ reward: flat(0), "reward.accuracy_reward": flat(0), zero_spread_fraction: flat(1) }, {
      completions: [[1, 2], [3, 4], [5, 5], [2, 9]].flatMap(([a, b]) =>
        group(`${a}+${b}=`, flat(0, 4).map(() => "<answer>77</answer>"), flat(0, 4))
      ),
    }),
    "a score that moves around 0.5": healthyBut({ "reward.accuracy_reward": ramp(0.5, 0.5) }),
  },
});
