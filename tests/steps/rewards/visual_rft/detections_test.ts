import assert from "node:assert/strict";
import { confidenceReward, iouReward, measured } from "../../../../steps/rewards/visual_rft/detections.ts";

const one = (x1: number, y1: number, x2: number, y2: number, confidence: number) =>
  `{'Position': [${x1}, ${y1}, ${x2}, ${y2}], 'Confidence': ${confidence}}`;
const answer = (...boxes: string[]) => `<think>t</think><answer>[${boxes.join(", ")}]</answer>`;
const TRUE = answer(one(100, 100, 200, 200, 1));
const near = (value: number, want: number, what: string) =>
  assert(Math.abs(value - want) < 1e-12, `${what}: ${value}, want ${want}`);

/** Worked by hand: 99 · 99 / 10000, 99 · 59 / 10000 and so on. */
const CASES: [what: string, text: string, solution: string, iou: number, confidence: number][] = [
  ["right", answer(one(101, 101, 200, 200, .9)), TRUE, .9801, .9],
  ["above a half", answer(one(101, 101, 200, 160, .8)), TRUE, .5841, .8],
  ["below a half", answer(one(101, 101, 200, 150, .8)), TRUE, 0, .2],
  ["wrong and unsure", answer(one(101, 101, 200, 150, 0)), TRUE, 0, 1],
  ["right and wrong", answer(one(101, 101, 200, 200, .9), one(600, 600, 700, 700, .3)), TRUE, .49005, .8],
  [
    "one of two",
    answer(one(101, 101, 200, 200, .9)),
    answer(one(100, 100, 200, 200, 1), one(6, 6, 9, 9, 1)),
    .49005,
    .9,
  ],
  ["twice the same", answer(one(101, 101, 200, 200, .9), one(101, 101, 200, 200, .9)), TRUE, .9801, .9],
  ["confidence 5", answer(one(101, 101, 200, 200, 5)), TRUE, .9801, 1],
  ["confidence -5", answer(one(101, 101, 200, 200, -5)), TRUE, .9801, 0],
  ["no objects", "<answer>No Objects</answer>", "<answer>No Objects</answer>", 0, 0],
  ["cut off", answer(one(101, 101, 200, 200, .9)).slice(0, -12), TRUE, 0, 0],
  ["a line end inside", answer(one(101, 101, 200, 200, .9)).replace("[{", "\n[{"), TRUE, 0, 0],
];

Deno.test("iouReward() and confidenceReward() are Visual-RFT's in worked examples", () => {
  for (const [what, text, solution, iou, confidence] of CASES) {
    near(measured(text, solution, iouReward), iou, what);
    near(measured(text, solution, confidenceReward), confidence, what);
  }
});

Deno.test("measured() is 0 for lists that are too deep or not closed, and fast", () => {
  for (const text of ["[".repeat(1e6), `["${'\\"'.repeat(3e5)}`, `["${'\\"'.repeat(3e5)}\\`, "'".repeat(1e6)]) {
    assert.equal(measured(`<answer>${text}</answer>`, TRUE, iouReward), 0, text.slice(0, 9));
  }
  const many = answer(...Array.from({ length: 1e4 }, (_, i) => one(101 + i, 101, 200 + i, 200, .9)));
  assert.equal(measured(many, TRUE, iouReward), .9801 / 1e4);
});

Deno.test("measured() gives a box the first of the true ones that it overlaps alike", () => {
  const truth = answer(one(0, 0, 10, 8, 1), one(0, 2, 10, 10, 1));
  // The first takes 0.8 of either; the second would be the first true box, and has 0.6 of the other.
  near(measured(answer(one(0, 0, 10, 10, .9), one(0, 0, 10, 8, .5)), truth, iouReward), (.8 + .6) / 2, "first");
});

Deno.test("measured() lets boxes choose in the order in which Python leaves NaN", () => {
  const right = (confidence: number) => one(100, 100, 200, 170, confidence);
  const less = one(100, 100, 200, 160, 0), none = (x: number) => one(x, 0, x + 9, 9, NaN);
  const kept = answer(less, none(600), right(.5), none(700));
  near(measured(kept, TRUE, iouReward), .6 / 4, "Python's order is 0, NaN, 0.5, NaN");
  assert(Number.isNaN(measured(kept, TRUE, confidenceReward)));
  const moved = answer(less, none(600), right(.5), one(0, 0, 9, 9, .9));
  near(measured(moved, TRUE, iouReward), .7 / 4, "Python's order is NaN, 0.9, 0.5, 0");
});
