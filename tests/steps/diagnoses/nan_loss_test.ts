/** The rule nan_loss: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("nan_loss", {
  fires: {
    "a NaN loss from the first record beside moving rewards": {
      columns: { loss: flat(NaN), reward: ramp(0.3, 0.4), reward_std: ramp(0.2, 0.3) },
    },
  },
  silent: {
    "NaN entropy as well": {
      columns: { loss: flat(NaN), reward: ramp(0.3, 0.4), entropy: flat(NaN), grad_norm: flat(NaN) },
    },
    "NaN after healthy records": {
      columns: { loss: [...ramp(0.1, 0.2, 10), ...flat(NaN, 10)], reward: ramp(0.3, 0.4, 20) },
    },
  },
});
