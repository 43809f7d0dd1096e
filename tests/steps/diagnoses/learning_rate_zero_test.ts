/** The rule learning_rate_zero: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("learning_rate_zero", {
  fires: {
    "0 on every record": healthyBut({ learning_rate: flat(0), kl: flat(0), reward: ramp(0.4, 0.4) }),
    "0 in the configuration": { settings: { learning_rate: 0 } },
  },
  silent: {
    "0.000 in a rounded log": healthyBut({ learning_rate: flat(0) }, {
      system: "verl",
      decimals: { learning_rate: 3 },
    }),
    "warm-up from 0": healthyBut({ learning_rate: [0, ...flat(1e-6, 29)] }),
  },
});
