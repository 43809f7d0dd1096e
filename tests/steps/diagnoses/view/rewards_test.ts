/** Levels of a reward and kinds of reward functions. */
import assert from "node:assert/strict";
import {
  constantOf,
  flatness,
  floorShare,
  isMostlyFloor,
  kindOf,
  levelOf,
  nearlySolved,
  rewardFunctions,
} from "../../../../steps/diagnoses/view/rewards.ts";
import { flat, ramp, viewOf } from "../synthetic.ts";

Deno.test("levelOf() calls 0 and negative whole numbers the floor, 1 and the sum of the weights the maximum", () => {
  const view = viewOf({ columns: { reward: flat(0, 3) } });
  assert.deepEqual([0, -1, -2, 0.5, -0.3, 1].map((value) => levelOf(view, value)), [
    "floor",
    "floor",
    "floor",
    "between",
    "between",
    "maximum",
  ]);
  // The largest value of the only function there is, though it has fallen since.
  assert.equal(levelOf(viewOf({ columns: { "reward.acc": [1, 0.5] } }), 1), "maximum");
  const weighted = viewOf({
    columns: { "reward.a_match": [1], "reward.b_format": [1] },
    settings: { reward_weights: [0.5, 0.2] },
  });
  assert.equal(levelOf(weighted, 0.7), "maximum");
  assert.equal(levelOf(viewOf({ columns: { "reward.acc": [1], "reward.format": [1] } }), 2), "maximum");
});

Deno.test("rewardFunctions() tells goals, formats and shapes apart and finds constants", () => {
  const list = rewardFunctions(viewOf({
    columns: {
      "reward.accuracy_reward": ramp(0, 1),
      "reward.think_format_reward": flat(0),
      "reward.length_penalty": flat(-0.1),
      "reward.mdi_reward": flat(0.4),
      "reward_std.mdi_reward": flat(0.2),
    },
  }));
  assert.deepEqual(list.map((entry) => [entry.name, entry.kind, entry.constant]), [
    ["accuracy_reward", "goal", null],
    ["think_format_reward", "format", 0],
    ["length_penalty", "shape", -0.1],
    ["mdi_reward", "shape", null], // it varies inside the batch
  ]);
});

Deno.test("constantOf() wants equality to the digits printed", () => {
  assert.equal(constantOf([0.5, 0.5]), 0.5);
  assert.equal(constantOf([0.5, 0.5001]), null);
  assert.equal(constantOf([]), null);
});

Deno.test("flatness() and floorShare() look at the flat records", () => {
  const view = viewOf({ columns: { reward: [0, 0, 0.4, 0], zero_spread_fraction: [1, 1, 0, 1] } });
  const part = flatness(view)!;
  assert.deepEqual([part.records, part.share, part.constant, part.level], [[0, 1, 3], 0.75, 0, "floor"]);
  assert.equal(floorShare(view), 0.75);
  assert.equal(flatness(viewOf({ columns: { reward: [0.4], zero_spread_fraction: [0] } })), null);
});

Deno.test("nearlySolved() is of the last ten records, and of shares", () => {
  const of = (accuracy: number[]) => nearlySolved(viewOf({ columns: { accuracy } }));
  assert.equal(of([...Array(30).fill(0.2), ...Array(10).fill(0.9)]), true);
  assert.equal(of([...Array(30).fill(0.9), ...Array(10).fill(0.2)]), false);
  assert.equal(of(Array(40).fill(3)), false, "a count");
});

Deno.test("isMostlyFloor() is of more than eight records in ten", () => {
  const of = (zeros: number) =>
    isMostlyFloor(viewOf({ columns: { reward: Array.from({ length: 20 }, (_, i) => i < zeros ? 0 : 0.4) } }));
  assert.deepEqual([14, 16, 17].map(of), [false, false, true]);
});

Deno.test("kindOf() takes no function for a goal that is named for what is bad", () => {
  for (
    const name of [
      "test_failures",
      "wrong_answer_rate",
      "answer_hint_used",
      "mistakes",
      "math_errors",
      "testErrors",
      "incorrect_answer",
      "label_violations",
      "answer_penalty",
      "failed_tests",
    ]
  ) {
    assert.equal(kindOf(name), "shape", name);
  }
  for (
    const name of [
      "no_errors",
      "test_pass_rate",
      "fail_to_pass",
      "error_correction_accuracy_reward",
      "answer_without_mistakes",
      "correctness_reward_func",
      "terror_detection",
    ]
  ) {
    assert.equal(kindOf(name), "goal", name);
  }
});
