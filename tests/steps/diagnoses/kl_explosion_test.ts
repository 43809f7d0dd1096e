/** The rule kl_explosion: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("kl_explosion", {
  fires: {
    "growth to several nats at a falling reward": healthyBut({
      kl: Array.from({ length: 30 }, (_, i) => 0.001 * 1.4 ** i),
      reward: ramp(0.5, 0.3),
      "reward.accuracy_reward": flat(null),
    }),
    "one record with outlier tokens": {
      system: "torchforge",
      stepsPrinted: false,
      columns: { kl: [1_568_987.96], kl_max: [6_821_680_128], loss: [1.77] },
    },
  },
  silent: {
    "KL that rises with the reward": healthyBut({ kl: ramp(0.01, 0.8) }),
    "a spike that recovers": healthyBut({
      kl: flat(0.02).map((value, i) => i === 20 ? 3 : value),
      reward: ramp(0.4, 0.4),
    }),
  },
});
