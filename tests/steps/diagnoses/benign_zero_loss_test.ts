/** The rule benign_zero_loss: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("benign_zero_loss", {
  fires: {
    "a printed 0 with a gradient": healthyBut({ loss: flat(0) }),
    "a KL that grows where no gradient is printed": healthyBut({ loss: flat(0), grad_norm: [] }),
    "a loss that equals its closed form": healthyBut({ loss: flat(1e-8), expected_loss: flat(0) }, { own: true }),
  },
  silent: {
    "a gradient of 0": healthyBut({ loss: flat(0), grad_norm: flat(0), zero_spread_fraction: flat(1) }),
    "a loss that is not 0": healthyBut({ loss: flat(0.4) }),
    "a gradient of 0 although groups have spread": healthyBut({ loss: flat(0), grad_norm: flat(0) }),
    "a loss that prints 0 now and then": healthyBut({ loss: flat(0.4).map((value, i) => i % 4 === 0 ? 0 : value) }),
  },
});
