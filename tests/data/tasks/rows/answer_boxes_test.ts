import assert from "node:assert/strict";
import { type BoxChange, boxesIn, changeBoxes } from "../../../../data/tasks/rows/answer_boxes.ts";
import { ImageProblem } from "../../../../data/tasks/rows/row_images.ts";

const ID = `${"0".repeat(32)}-200x50.png`;
const TO: BoxChange = { from: "pixels", to: "thousandths" }, BACK: BoxChange = { from: "thousandths", to: "pixels" };

Deno.test("changeBoxes() converts detection's, grounding's and a lone box by the image's size, and nothing else", () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      "<answer>[{'Position': [20, 5, 100, 50], 'Confidence': 1}, {'Position': [0, 0, 200, 50], 'Confidence': 0.5}]</answer>",
      "<answer>[{'Position': [100, 100, 500, 1000], 'Confidence': 1}, {'Position': [0, 0, 1000, 1000], 'Confidence': 0.5}]</answer>",
    ],
    ["at (20,5),(100,50)", "at (100,100),(500,1000)"],
    ["(20.4, 5), (100, 50)", "(102,100), (500,1000)"],
    ["[20,5,100,50]", "[100, 100, 500, 1000]"],
    ["<answer> [20, 5, 100, 50] </answer>", "<answer> [100, 100, 500, 1000] </answer>"],
    ['[{\\"Position\\": [20, 5, 100, 50]}]', '[{\\"Position\\": [100, 100, 500, 1000]}]'],
    ["<answer>No Objects</answer>", "<answer>No Objects</answer>"],
  ];
  for (const [answer, want] of cases) assert.equal(changeBoxes(answer, [ID], TO), want);
  assert.equal(changeBoxes("(100,100),(500,1000)", [ID], BACK), "(20,5),(100,50)");
  assert.equal(
    changeBoxes("(100,100),(500,1000)", [ID], { from: "thousandths", to: "thousandths" }),
    "(100,100),(500,1000)",
  );
});

Deno.test("changeBoxes() names a box that cannot be meant, and an answer in another form", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["(20,5),(300,50)", /box \[20, 5, 300, 50\] is not within its image \(200 × 50 pixels\)/],
    ["(20,5),(20,50)", /has no area/],
    ["(100,5),(20,50)", /has its corners swapped/],
    ["[{'Position': [nan, 5, 100, 50]}]", /box \[NaN, 5, 100, 50\] holds NaN, want 4 numbers/],
    ["(1,2),(inf,4)", /holds Infinity, want 4 numbers/],
    ["[1,2,3]", /has 3 numbers, want 4/],
    ["[{'Position': [1, 2, , 4]}]", /holds NaN/],
    ["[{'Position': ['1', 2, 3, 4]}]", /holds NaN/],
    ["x1=3 y1=4", /box_unit finds no box in its answer "x1=3 y1=4", want 'Position'/],
    ["<box>1 2 3 4</box>", /finds no box/],
  ];
  for (const [answer, want] of cases) {
    assert.throws(
      () => changeBoxes(answer, [ID], TO),
      (error: Error) => error instanceof ImageProblem && want.test(error.message),
    );
  }
  assert.throws(() => changeBoxes("(1,2),(3,4)", [ID, ID], TO), /it has 2 images, and box_unit needs one/);
  assert.throws(
    () => changeBoxes("(1,1),(1.2,3)", [ID], { from: "pixels", to: "pixels" }),
    /is smaller than one of pixels/,
  );
});

Deno.test("boxesIn() finds the boxes of each form, once", () => {
  const [one, two] = [[1, 2, 3, 4], [5, 6, 7, 8.5]];
  assert.deepEqual(boxesIn("[{'Position': [1, 2, 3, 4], 'Confidence': 1}, {'Position': [5, 6, 7, 8.5]}]"), [one, two]);
  assert.deepEqual(boxesIn("<answer>[{'Position': [1, 2, 3, 4]}]</answer>"), [one]);
  assert.deepEqual(boxesIn("(1,2),(3,4) or (5,6),(7,8.5)"), [one, two]);
  assert.deepEqual(boxesIn("[1,2,3,4]"), [one]);
  assert.deepEqual(boxesIn("A cat in 3 boxes."), []);
});
