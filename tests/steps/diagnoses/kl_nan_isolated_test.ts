/** The rule kl_nan_isolated: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

const half = [...flat(0.5, 15), ...flat(NaN, 15)];
const floored = { reward: [...ramp(0.3, 0.5, 15), ...flat(0, 15)], "reward.accuracy_reward": [] };

testRule("kl_nan_isolated", {
  fires: {
    "NaN in the KL column only": healthyBut({ kl: flat(NaN) }),
    "NaN in the entropy only": healthyBut({ entropy: half }),
    "NaN in KL and entropy": healthyBut({ entropy: half, kl: half }),
    "NaN in the entropy from the first record": healthyBut({ entropy: flat(NaN) }),
    "NaN in the sampler's gap": healthyBut({ sampler_logprob_gap: half }),
    "NaN in the entropy of examples": {
      algorithm: "sft",
      columns: { loss: ramp(2, 1), grad_norm: ramp(2, 1), entropy: half },
    },
  },
  silent: {
    "NaN everywhere": healthyBut({ kl: flat(NaN), grad_norm: flat(NaN), loss: flat(NaN) }),
    "a reward that falls to its floor": healthyBut({ entropy: half, ...floored }),
    "a gradient that follows later": healthyBut({ entropy: half, grad_norm: [...flat(1, 20), ...flat(NaN, 10)] }),
    "one bad record": healthyBut({ kl: flat(0.01).map((value, i) => i === 9 ? NaN : value) }),
  },
});
