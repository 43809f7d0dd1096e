import assert from "node:assert/strict";
import type { Box } from "../../../../data/boxes/iou.ts";
import { hasRightBoxes } from "../../../../data/tasks/visual/right_boxes.ts";

const A: Box = [0, 0, 100, 100], B: Box = [200, 200, 300, 300];
const text = (boxes: readonly Box[]) =>
  `<answer>${JSON.stringify(boxes.map((Position) => ({ Position, Confidence: 0.1 })))}</answer>`;
const judged = (found: readonly Box[], truth: readonly Box[] = [A, B]) =>
  hasRightBoxes(text(found), { answer: text(truth) });

Deno.test("hasRightBoxes() wants every true box once, in any order, and no other", () => {
  const near: Box = [0, 0, 90, 100], off: Box = [400, 0, 500, 100];
  assert.deepEqual([[A, B], [B, near]].map((found) => judged(found)), [true, true]);
  for (const found of [[A], [A, A], [A, near], [A, off], [A, B, off], [A, B, B], []]) {
    assert.equal(judged(found), false, JSON.stringify(found));
  }
});

Deno.test("hasRightBoxes() wants an IoU above a half, and corners in order", () => {
  const half: Box = [0, 0, 50, 100], more: Box = [0, 0, 52, 100], swapped: Box = [100, 100, 0, 0];
  assert.deepEqual([half, more, swapped].map((box) => judged([box], [A])), [false, true, false]);
});

Deno.test("hasRightBoxes() is false for a text with a box that cannot be read, and for one without an answer", () => {
  const one = "{'Position': [0, 0, 100, 100], 'Confidence': 0.5}", row = { answer: text([A]) };
  assert.equal(hasRightBoxes(`<answer>[${one}]</answer>`, row), true);
  for (
    const bad of [
      `<answer>[${one}`,
      `<answer>[${one}, {}]</answer>`,
      "<answer>No Objects</answer>",
      "",
      "[".repeat(1e5),
    ]
  ) {
    assert.equal(hasRightBoxes(bad, row), false, bad.slice(0, 60));
  }
});
