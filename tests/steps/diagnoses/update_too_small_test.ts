/** The rule update_too_small: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("update_too_small", {
  fires: {
    "a KL that stays at rounding": healthyBut({ kl: flat(0), reward: ramp(0.4, 0.4, 30, 0.05) }),
    "a crushing clip": healthyBut({}, { settings: { max_grad_norm: 1e-9 } }),
    "our update size": healthyBut({ update_size: flat(0.001) }, { own: true }),
  },
  silent: {
    "three records": healthyBut(
      Object.fromEntries(
        Object.entries({ kl: 0, grad_norm: 0.5, reward: 0.4, loss: 0 }).map(([name, value]) => [name, flat(value, 3)]),
      ),
    ),
    "a KL rounded to three decimals": healthyBut({ kl: flat(0) }, { decimals: { kl: 3 } }),
    "no update at a learning rate of 0, which is another cause": healthyBut({
      update_size: flat(0),
      learning_rate: flat(0),
    }, { own: true }),
    "a clean update size": healthyBut({ update_size: ramp(0.3, 1) }, { own: true }),
  },
});
