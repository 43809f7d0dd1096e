/** The rule excessive_clipping: its fault and its look-alikes. */
import { flat, HEALTHY, healthyBut, testRule } from "./synthetic.ts";

testRule("excessive_clipping", {
  fires: {
    "a third of the tokens in every reuse": healthyBut({ clip_fraction: flat(0).map((_, i) => i % 4 * 0.15) }, {
      settings: { num_iterations: 4 },
    }),
  },
  silent: {
    "0 with one update per rollout": HEALTHY,
    "a sequence-level loss": healthyBut({ clip_fraction: flat(0.3) }, {
      settings: { importance_sampling_level: "sequence" },
    }),
  },
});
