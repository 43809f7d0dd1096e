/** The rule entropy_collapse: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("entropy_collapse", {
  fires: {
    "entropy to nothing at a flat reward": healthyBut({
      entropy: [...ramp(0.6, 0.02, 20, 0), ...flat(0.005, 10)],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }),
  },
  silent: {
    "falling entropy with a rising reward": healthyBut({ entropy: [...ramp(0.6, 0.05, 20, 0), ...flat(0.03, 10)] }),
    "a falling entropy that was taken at a low temperature": healthyBut({
      entropy: [...ramp(0.6, 0.02, 20, 0), ...flat(0.005, 10)],
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }, { settings: { temperature: 0.1 } }),
    "a cold temperature that scales the printed entropy": healthyBut({ entropy: flat(0) }, {
      settings: { temperature: 0.001 },
    }),
  },
});
