import assert from "node:assert/strict";
import type { Box } from "../../../../data/boxes/iou.ts";
import { boxes, hasRightBoxes } from "../../../../data/tasks/verifiers/boxes.ts";
import { assertJudged, type Case, LONG } from "./judged.ts";

const A = "[0, 0, 100, 100]", B = "[200, 200, 300, 300]", ONE = `[{'Position': ${A}, 'Confidence': 0.9}]`;
const BOTH = `[{"bbox_2d": ${A}, "label": "cat"}, {"bbox_2d": ${B}, "label": "dog"}]`;

Deno.test("boxes.verify() reads boxes in every form, in any order, and wants one for each and no other", () => {
  const right = [
    ONE,
    `<think>there</think><answer>${ONE}</answer>`,
    `[{"bbox_2d": ${A}}]`,
    `\`\`\`json\n[{"bbox_2d": ${A}, "label": "anything"}]\n\`\`\``,
    "<|box_start|>(0,0),(100,100)<|box_end|>",
    "(0,0),(100,100)",
    A,
    `[${A}]`,
    "[{'Position': [0, 0, 100, 51], 'Confidence': 0}]",
    "[{'Position': [0, 0, 100, 50], 'Confidence': 7}]",
  ];
  const wrong = [
    "",
    "No Objects",
    "[]",
    "[{'Position': [0, 0, 100, 49], 'Confidence': 0.9}]",
    "[{'Position': [100, 100, 0, 0], 'Confidence': 0.9}]",
    "[{'Position': [0, 0, 100, NaN], 'Confidence': 0.9}]",
    "[{'Position': [0, 0, 100], 'Confidence': 0.9}]",
    `[{'Position': ${A}, 'Confidence': 0.9}`,
    `[${A}, ${A}]`,
    `[${A}, ${B}]`,
    `<answer>${ONE}`,
    `<answer>[]</answer>${ONE}`,
    "the box is at the left",
    `[{'Position': ${A}}, {}]`,
  ];
  const cases = (texts: readonly string[], answer: string, judged: boolean) =>
    texts.map((text): Case => [text, answer, judged]);
  assertJudged(boxes, [...cases(right, ONE, true), ...cases(wrong, ONE, false)]);
  assertJudged(boxes, [
    ...cases([BOTH, `[${B}, ${A}]`, `[${B}, [0, 0, 90, 100]]`], BOTH, true),
    ...cases([ONE, `[${A}, ${A}]`, `[${A}, [0, 0, 90, 100]]`, `[${A}, ${B}, ${B}]`], BOTH, false),
    ...cases(["No Objects", "[]", "<answer>No objects.</answer>"], "No Objects", true),
    ...cases([ONE, ""], "No Objects", false),
  ]);
});

Deno.test("boxes.verify() finds a pair for each box where the most overlap leaves one without", () => {
  // Widths of 100, 60, 36 for 60, 36, 22: two pairs of IoU 1 have the larger sum, three pairs of .6 are all.
  const three = "[[0,0,100,10],[0,0,60,10],[0,0,36,10]]";
  assertJudged(boxes, [[three, "[[0,0,60,10],[0,0,36,10],[0,0,22,10]]", true]]);
  assertJudged(boxes, [[three, "[[0,0,60,10],[0,0,36,10],[0,0,22,10]]", false]], { iou: 0.7 });
});

Deno.test("boxes takes a least IoU, and names an answer that it cannot read", () => {
  assertJudged(boxes, [["[0, 0, 100, 51]", ONE, false], ["[0, 0, 100, 90]", ONE, true]], { iou: 0.9 });
  for (const iou of [0, 1.1, "x"]) assert.equal(boxes.params.safeParse({ iou }).success, false, String(iou));
  const options = boxes.params.parse({}), problem = (answer: string) => boxes.problem(answer, options, { answer });
  assert.equal(problem("a cat"), "holds no boxes: it has no boxes");
  assert.match(problem("[{'Position': [1, 2, 3]}]")!, /^holds no boxes: its box 1 has no four finite numbers$/);
  assert.equal(
    problem("[[0, 0, 5, 5], [5, 5, 5, 9]]"),
    "has a box without an area, or with swapped corners: number 2 of 2",
  );
  assert.equal(problem("[9, 9, 5, 5]"), "has a box without an area, or with swapped corners: number 1 of 1");
  assert.equal(problem("No Objects"), null);
});

Deno.test("boxes.verify() ends soon on long texts", () => {
  const options = boxes.params.parse({});
  const more = ["(0,0),", "[0,0,9,9],", "<answer>", "{'Position': [", "```", "<|box_start|>("];
  for (const text of [...LONG, ...more.map((part) => part.repeat(1e6 / part.length))]) {
    assert.equal(boxes.verify!(text, { answer: ONE }, options), false, text.slice(0, 10));
  }
});

const TRUE: Box = [0, 0, 100, 100], OTHER: Box = [200, 200, 300, 300];
const listed = (boxes: readonly Box[]) =>
  `<answer>${JSON.stringify(boxes.map((Position) => ({ Position, Confidence: 0.1 })))}</answer>`;
const judged = (found: readonly Box[], truth: readonly Box[] = [TRUE, OTHER]) =>
  hasRightBoxes(listed(found), { answer: listed(truth) });

Deno.test("hasRightBoxes() wants every true box once, in any order, and no other", () => {
  const near: Box = [0, 0, 90, 100], off: Box = [400, 0, 500, 100];
  assert.deepEqual([[TRUE, OTHER], [OTHER, near]].map((found) => judged(found)), [true, true]);
  for (const found of [[TRUE], [TRUE, TRUE], [TRUE, near], [TRUE, off], [TRUE, OTHER, off], [TRUE, OTHER, OTHER], []]) {
    assert.equal(judged(found), false, JSON.stringify(found));
  }
});

Deno.test("hasRightBoxes() wants an IoU of a half, and corners in order", () => {
  const half: Box = [0, 0, 50, 100],
    less: Box = [0, 0, 49, 100],
    more: Box = [0, 0, 52, 100],
    swapped: Box = [100, 100, 0, 0];
  assert.deepEqual([half, more, swapped, less].map((box) => judged([box], [TRUE])), [true, true, false, false]);
});

Deno.test("hasRightBoxes() is false for a text with a box that cannot be read, and for one without an answer", () => {
  const one = "{'Position': [0, 0, 100, 100], 'Confidence': 0.5}", row = { answer: listed([TRUE]) };
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
