/** The rule old_logprob_nan: its fault and its look-alikes. */
import { flat, group, healthyBut, ramp, testRule } from "./synthetic.ts";

const half = [...ramp(0.6, 0.5, 15), ...flat(NaN, 15)];

testRule("old_logprob_nan", {
  fires: {
    "NaN after healthy records, length at the cap": healthyBut({
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(NaN, 15)],
      entropy: [...ramp(0.6, 0.5, 15), ...flat(null, 15)],
      kl: [...ramp(0, 0.01, 15), ...flat(null, 15)],
      loss: [...ramp(0.1, 0.2, 15), ...flat(0, 15)],
      completion_length: [...ramp(90, 95, 15), ...flat(256, 15)],
      truncated_fraction: [...flat(0, 15), ...flat(1, 15)],
      reward: [...ramp(0.5, 0.6, 15), ...flat(0, 15)],
      "reward.accuracy_reward": [...ramp(0.5, 0.6, 15), ...flat(0, 15)],
      zero_spread_fraction: [...flat(0, 15), ...flat(1, 15)],
    }),
    "one record from the middle of a run": {
      system: "verl",
      steps: [83],
      columns: {
        kl: [NaN],
        entropy: [NaN],
        policy_loss: [NaN],
        grad_norm: [NaN],
        reward: [-1],
        completion_length: [257],
        truncated_fraction: [1],
      },
    },
    "NaN in the entropy, and a reward at its floor": healthyBut({
      entropy: half,
      reward: [...ramp(0.3, 0.5, 15), ...flat(0, 15)],
      "reward.accuracy_reward": [],
    }),
    "NaN in the entropy five records before the gradient": healthyBut({
      entropy: half,
      grad_norm: [...ramp(0.8, 0.6, 20), ...flat(NaN, 10)],
    }),
    "NaN in the entropy beside zeros": healthyBut({
      entropy: half,
      grad_norm: [],
      loss: [...ramp(0.1, 0.2, 15), ...flat(0, 15)],
    }),
    "NaN in the entropy and no gradient printed any more": healthyBut({
      entropy: half,
      grad_norm: [...ramp(0.8, 0.6, 15), ...flat(null, 15)],
    }),
    "nothing but exclamation marks": {
      system: "openrlhf",
      completions: group("x", ["!".repeat(60)], [null]).map((row) => ({ ...row, rewards: {} })),
    },
  },
  silent: {
    "NaN in the first record": { columns: { grad_norm: flat(NaN), entropy: flat(NaN), loss: flat(0) } },
    "an entropy alone": healthyBut({ entropy: half }),
    "an entropy and a KL": healthyBut({ entropy: half, kl: half }),
    "an entropy alone, without a gradient but with a loss": healthyBut({ entropy: half, grad_norm: [] }),
    "a KL alone": healthyBut({ kl: flat(NaN) }),
    "supervised training": {
      algorithm: "sft",
      columns: { loss: [...ramp(2, 1, 10), ...flat(NaN, 5)], grad_norm: [...ramp(2, 1, 10), ...flat(NaN, 5)] },
    },
  },
});
