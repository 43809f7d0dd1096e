/** The rule kl_nan_isolated: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("kl_nan_isolated", {
  fires: { "NaN in the KL column only": healthyBut({ kl: flat(NaN) }) },
  silent: {
    "NaN everywhere": healthyBut({ kl: flat(NaN), grad_norm: flat(NaN), loss: flat(NaN) }),
    "one bad record": healthyBut({ kl: flat(0.01).map((value, i) => i === 9 ? NaN : value) }),
  },
});
