/** The rule negative_kl_estimate: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("negative_kl_estimate", {
  fires: {
    "the library's warning": {
      algorithm: "ppo",
      messages: [
        "UserWarning: KL divergence is starting to become negative: -5.27 - this might be a precursor for failed training.",
      ],
    },
    "a KL per completion of -3": {
      algorithm: "ppo",
      columns: { kl_sequence: ramp(-3, -4), reward: ramp(0.1, 0.2), loss: ramp(0.1, 0.2) },
    },
    "a KL per token just beyond the noise, over completions that make it more than 1": healthyBut({
      kl: flat(-0.0051),
      completion_length: flat(300),
    }),
  },
  silent: {
    "noise about 0": healthyBut({ kl: flat(-0.0005) }),
    "a KL per token within the noise, however long the completions": healthyBut({
      kl: flat(-0.005),
      completion_length: flat(300),
    }),
    "a KL beyond the noise on fewer than most of the records": healthyBut({
      kl: Array.from({ length: 20 }, (_, i) => i % 2 ? 0.001 : -0.03),
      completion_length: flat(300),
    }),
  },
});
