import assert from "node:assert/strict";
import {
  allMatch,
  type Box,
  detectedBoxes,
  groundedBox,
  isMatch,
  overlap,
  tagged,
} from "../../../../data/tasks/visual/answers.ts";

Deno.test("tagged() takes the first answer tags, trimmed, and a text without them whole", () => {
  const cases: [string, string][] = [
    ["<think>7</think><answer> 8\n</answer>", "8"],
    ["<answer>1</answer><answer>2</answer>", "1"],
    ["</answer><answer>3</answer>", "3"],
    [" 4 ", "4"],
    ["<answer>5", "<answer>5"],
    ["<answer></answer>", ""],
    ["<answer><answer>6</answer></answer>", "<answer>6"],
  ];
  for (const [text, want] of cases) assert.equal(tagged(text), want);
  assert.equal(tagged("<answer>".repeat(200_000)).length, 1_600_000);
});

Deno.test("detectedBoxes() reads lists in single or double quotes and is null for another text", () => {
  const one = "{'Position': [20, 40, 280, 300], 'Confidence': 0.5}";
  assert.deepEqual(detectedBoxes(`<answer>[${one}, ${one.replace("20", "0")}]</answer>`), [[20, 40, 280, 300], [
    0,
    40,
    280,
    300,
  ]]);
  assert.deepEqual(detectedBoxes('[{"Position": [1, 2, 3, 4.5]}]'), [[1, 2, 3, 4.5]]);
  assert.deepEqual(detectedBoxes("<answer>[]</answer>"), []);
  const others = [
    "",
    "No Objects",
    one,
    `[${one}`,
    "[null]",
    "[7]",
    "[{}]",
    "[[1, 2, 3, 4]]",
    "[{'Position': [1, 2, 3]}]",
  ];
  const hostile = [
    "[{'Position': [1, 2, 3, 'a']}]",
    "[{'Position': [1, 2, 3, 1e999]}]",
    "[".repeat(1e5),
    "{'a':".repeat(1e5),
  ];
  for (const text of [...others, ...hostile]) assert.equal(detectedBoxes(text), null, text.slice(0, 40));
  assert.equal(detectedBoxes(`[${Array(1e5).fill(one).join()}]`)!.length, 1e5);
});

Deno.test("groundedBox() reads two corners and is null for another text", () => {
  assert.deepEqual(groundedBox("(120,200),(340,460)"), [120, 200, 340, 460]);
  assert.deepEqual(groundedBox("<answer>( 120, 200 ), (340 ,460)</answer>"), [120, 200, 340, 460]);
  const others = ["", "120,200,340,460", "(120,200)", "(120,200),(340,460),(1,1)", "(-1,2),(3,4)", "((1,2),(3,4))"];
  for (const text of [...others, "(".repeat(1e6), "(1,2),".repeat(1e5)]) assert.equal(groundedBox(text), null);
});

Deno.test("overlap() counts squares: shared over covered, 0 for swapped corners and for no area", () => {
  const inside = ([x1, y1, x2, y2]: Box, x: number, y: number) => x1 <= x && x < x2 && y1 <= y && y < y2;
  const counted = (a: Box, b: Box) => {
    let shared = 0, covered = 0;
    for (let i = 0; i < 400; i++) {
      const [one, other] = [a, b].map((box) => inside(box, i % 20, Math.floor(i / 20)));
      if (one && other) shared++;
      if (one || other) covered++;
    }
    return shared / covered;
  };
  const boxes: Box[] = [[0, 0, 10, 10], [5, 5, 15, 12], [10, 0, 20, 10], [3, 4, 9, 8], [0, 0, 20, 20]];
  for (const a of boxes) for (const b of boxes) assert(Math.abs(overlap(a, b) - counted(a, b)) < 1e-12, `${a} ${b}`);
  assert.deepEqual([overlap([9, 0, 0, 9], [0, 0, 9, 9]), overlap([3, 3, 3, 8], [0, 0, 9, 9])], [0, 0]);
  assert.equal(overlap([9, 9, 0, 0], [9, 9, 0, 0]), 0);
});

Deno.test("isMatch() wants more than a half", () => {
  assert.deepEqual([isMatch([0, 0, 5, 10], [0, 0, 10, 10]), isMatch([0, 0, 6, 10], [0, 0, 10, 10])], [false, true]);
});

Deno.test("allMatch() wants every true box once, in any order, and no other", () => {
  const a: Box = [0, 0, 100, 100],
    b: Box = [200, 200, 300, 300],
    near: Box = [0, 0, 90, 100],
    off: Box = [400, 0, 500, 100];
  assert.deepEqual([[a, b], [b, near]].map((found) => allMatch(found, [a, b])), [true, true]);
  for (const found of [[a], [a, a], [a, near], [a, off], [a, b, off], [a, b, b], []]) {
    assert.equal(allMatch(found, [a, b]), false, JSON.stringify(found));
  }
});
