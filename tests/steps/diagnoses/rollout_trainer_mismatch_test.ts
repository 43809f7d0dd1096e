/** The rule rollout_trainer_mismatch: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("rollout_trainer_mismatch", {
  fires: {
    "a KL of ten thousand in the first record": healthyBut({ kl: [10832, 1678, 906, 1291, 64, ...flat(2.5, 25)] }),
    "probabilities that differ by 0.05": healthyBut({ sampler_probability_gap: flat(0.05) }, { system: "verl" }),
    "weights of 8 bits and a gap that no rounding makes": healthyBut({ sampler_logprob_gap: flat(1.5) }, {
      own: true,
      settings: { weights: "int8" },
    }),
    "our sampler and trainer apart": healthyBut({ sampler_logprob_gap: flat(0.2) }, { own: true }),
  },
  silent: {
    "weights of 8 bits, whose sampler rounds": healthyBut({ sampler_logprob_gap: flat(0.2) }, {
      own: true,
      settings: { weights: "int8" },
    }),
    "probabilities within verl's limit": healthyBut({ sampler_probability_gap: flat(0.003) }),
    "rounding between two graphs": healthyBut({ sampler_logprob_gap: flat(1e-5) }, { own: true }),
    "the same KL in an excerpt": { stepsPrinted: false, columns: { kl: [10832], loss: [1] } },
  },
});
