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
    [
      '[{"role":"assistant","content":"[{\\"Position\\": [20, 5, 100, 50]}]"}]',
      '[{"role":"assistant","content":"[{\\"Position\\": [100, 100, 500, 1000]}]"}]',
    ],
    ['[{"bbox_2d": [20, 5, 100, 50], "label": "a 3"}]', '[{"bbox_2d": [100, 100, 500, 1000], "label": "a 3"}]'],
    ["[[20, 5, 100, 50], [0, 0, 200, 50]]", "[[100, 100, 500, 1000], [0, 0, 1000, 1000]]"],
    ["[(20, 5, 100, 50),(0, 0, 200, 50)]", "[(100, 100, 500, 1000),(0, 0, 1000, 1000)]"],
    ['{"box": [20, 5, 100, 50], "size": [80, 45, 3, 1]}', '{"box": [100, 100, 500, 1000], "size": [80, 45, 3, 1]}'],
    ['```json\n[{"bbox": [20, 5, 100, 50]}]\n```', '```json\n[{"bbox": [100, 100, 500, 1000]}]\n```'],
    ["(20,5) (100,50)", "(100,100) (500,1000)"],
    ["<|box_start|>(20,5),(100,50)<|box_end|>", "<|box_start|>(100,100),(500,1000)<|box_end|>"],
    [
      "<think>at [20, 5, 100, 50]</think><answer>(20,5),(100,50)</answer>",
      "<think>at [100, 100, 500, 1000]</think><answer>(100,100),(500,1000)</answer>",
    ],
    ["<think>I count 3.</think><answer>No Objects</answer>", "<think>I count 3.</think><answer>No Objects</answer>"],
    ["(1,1),(1.04,2)", "(5,20),(6,40)"],
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
    [
      "[{'Position': [nan, 5, 100, 50]}]",
      /cannot read the boxes of its answer .*: its box 1 has no four finite numbers/,
    ],
    ["(1,2),(inf,4)", /it has no boxes/],
    ["[1,2,3]", /box 1 has no four finite numbers/],
    ["[{'Position': [1, 2, , 4]}]", /it is no list of boxes/],
    ["[{'Position': ['1', 2, 3, 4]}]", /box 1 has no four/],
    ["x1=3 y1=4", /box_unit cannot read the boxes of its answer "x1=3 y1=4": it has no boxes/],
    ["<box>1 2 3 4</box>", /it has no boxes/],
    ["[{'Position': [1, 2, 3, 4]}] and (5,6),(7,8)", /can convert but a part of the boxes/],
    ["(5,6),(7,8) and [1, 2, 3, 4]", /can convert but a part of the boxes/],
    ["[{'size': [1, 2, 3, 4], 'box': [1, 2, 3, 4]}]", /can convert but a part of the boxes/],
    ["[{'box': [1, 2, 3, 4]}, {'place': [1, 2, 3, 4]}]", /its box 2 has no four finite numbers/],
    ["<think>(20,5),(300,50)</think>(20,5),(100,50)", /is not within its image/],
    ["<answer>(1,2),(3,4)", /its answer is not closed/],
  ];
  for (const [answer, want] of cases) {
    assert.throws(
      () => changeBoxes(answer, [ID], TO),
      (error: Error) => error instanceof ImageProblem && want.test(error.message),
    );
  }
  assert.throws(() => changeBoxes("(1,2),(3,4)", [ID, ID], TO), /it has 2 images, and box_unit needs one/);
});

Deno.test("boxesIn() finds the boxes of each form, once", () => {
  const [one, two] = [[1, 2, 3, 4], [5, 6, 7, 8.5]];
  assert.deepEqual(boxesIn("[{'Position': [1, 2, 3, 4], 'Confidence': 1}, {'Position': [5, 6, 7, 8.5]}]"), [one, two]);
  assert.deepEqual(boxesIn("<answer>[{'Position': [1, 2, 3, 4]}]</answer>"), [one]);
  assert.deepEqual(boxesIn("(1,2),(3,4) or (5,6),(7,8.5)"), [one, two]);
  assert.deepEqual(boxesIn("[1,2,3,4]"), [one]);
  assert.deepEqual(boxesIn("A cat in 3 boxes."), []);
});

Deno.test("changeBoxes() takes time proportional to the answer's length", () => {
  const longs = [
    "'Position':[",
    "(1,1),(",
    "(1,1) ",
    "[1,",
    "(1,1)" + " ".repeat(9),
    "<answer>",
    "[{'box': [1, 2, 3, 4]}]",
  ];
  for (
    const text of [...longs.map((part) => part.repeat(1e5)), `(1,1),(${"1".repeat(1e6)}`, `(1,1)${" ".repeat(1e6)}1`]
  ) {
    assert.throws(() => changeBoxes(`3 ${text}`, [ID], TO), ImageProblem, text.slice(0, 20));
  }
});
