/** The rule length_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("length_collapse", {
  fires: {
    "a fifth of the length at the same reward": healthyBut({
      completion_length: ramp(200, 20),
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }),
  },
  silent: {
    "lengths that follow the prompts, of a policy that no update has moved": healthyBut({
      completion_length: [...flat(200, 15), ...flat(20, 15)],
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      grad_norm: flat(0),
    }),
    "short but better": healthyBut({ completion_length: ramp(200, 20) }),
    "a third shorter": healthyBut({ completion_length: ramp(200, 130), reward: ramp(0.4, 0.4) }),
  },
});

Deno.test("length_collapse is from the train step on at which its own series falls", () => {
  const completion_length = ramp(100, 100, 40, 0.001).map((value, i) => i < 12 ? value : 10 + i / 1e4);
  const result = DIAGNOSES.length_collapse.check(
    viewOf(healthyBut({ completion_length, reward: flat(0.4, 40), "reward.accuracy_reward": [] })),
  );
  assert(result !== null && "message" in result);
  assert.deepEqual([result.trainSteps[0], result.trainSteps.length], [13, 28]);
});
