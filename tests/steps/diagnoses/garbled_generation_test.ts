/** The rule garbled_generation: its fault and its look-alikes. */
import { flat, group, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("garbled_generation", {
  fires: {
    "random characters at the entropy of noise": healthyBut({
      entropy: ramp(4, 4.1),
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: ["9+2=", "1+1="].flatMap((prompt) =>
        group(prompt, ["5[fz5h]kcDz5]-", "+600Lm1I/TxyMp25", '"f;mzy(~nZ,6|6', "8fl=T%OnCh+ke+t"], flat(0, 4))
      ),
    }),
    "descriptions of static": {
      system: "vlm-r1",
      completions: [1, 2, 3].flatMap((i) =>
        group(`find ${i}`, ["The image appears to show static or a mix of visual artifacts [0, 0, 643, 476]"], [0])
      ),
    },
  },
  silent: {
    "readable wrong answers": healthyBut({ reward: flat(0), zero_spread_fraction: flat(1) }, {
      completions: group("What is the capital of France?", [
        "The capital is Lyon.",
        "I think that it is Nice.",
        "It must be Lille, or so.",
        "Marseille, of course!",
      ], flat(0, 4)),
    }),
    "formulas and code": {
      completions: group("x?", [
        "Let $x=5$, so \\boxed{169}. def add(a, b): return a+b  # O(1)",
        "x^2+y^2=169 with x=5, y=12 (see eq. 3)",
      ], [0, 1]),
    },
  },
});
