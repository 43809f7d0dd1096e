/** The rule length_collapse: its fault and its look-alikes. */
import { healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("length_collapse", {
  fires: {
    "a fifth of the length at the same reward": healthyBut({
      completion_length: ramp(200, 20),
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }),
  },
  silent: {
    "short but better": healthyBut({ completion_length: ramp(200, 20) }),
    "a third shorter": healthyBut({ completion_length: ramp(200, 130), reward: ramp(0.4, 0.4) }),
  },
});
