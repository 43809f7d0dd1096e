/** The rule entropy_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

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

Deno.test("entropy_collapse is from the train step on at which its own series falls", () => {
  const entropy = ramp(0.6, 0.6, 40, 0.001).map((value, i) => i < 12 ? value : 0.003 + i / 1e4);
  const result = DIAGNOSES.entropy_collapse.check(
    viewOf(healthyBut({ entropy, reward: flat(0.4, 40), accuracy: flat(0.4, 40), "reward.accuracy_reward": [] })),
  );
  assert(result !== null && "message" in result);
  assert.deepEqual([result.trainSteps[0], result.trainSteps.length], [13, 28]);
});
