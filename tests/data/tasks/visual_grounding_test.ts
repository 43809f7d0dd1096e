import assert from "node:assert/strict";
import { readBoxes } from "../../../data/boxes/read_boxes.ts";
import { visualGrounding } from "../../../data/tasks/visual_grounding.ts";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("visual_grounding", 4400);
const made = (given: Record<string, unknown>) =>
  visualGrounding.rows(
    visualGrounding.params.parse({ train_scenes: 200, validation_scenes: 5, held_out_scenes: 40, ...given }),
  );

Deno.test("visual_grounding asks where one digit is and wants the corners of its box", () => {
  for (const { prompt, answer, columns } of [...rows, ...made({ digits: 4 })]) {
    assert.equal(prompt, `Where is the ${columns!["label"]}?`);
    assert.match(answer, /^\(\d+,\d+\),\(\d+,\d+\)$/);
    const [x1, y1, x2, y2] = readBoxes(answer).boxes[0]!.box;
    assert([x1, y1, x2, y2].every((edge) => edge % 20 === 0 && edge <= 1000) && x2 - x1 >= 60 && y2 - y1 >= 180);
  }
});

Deno.test("visual_grounding has scenes of 2 digits to so many, so that the picture alone does not say where", () => {
  // Difficulty is 1 - side / digits, and no digit's side is above 24 of 56 pixels and rounding.
  for (const { difficulty } of rows) assert(difficulty > 1 - 0.45 / 2);
  const mostly = made({ digits: 4 }).filter(({ difficulty }) => difficulty > 1 - 0.45 / 3).length;
  assert(mostly > 245 / 3, `${mostly}`);
});

Deno.test("visual_grounding makes scenes of a split of its own writers' digits, drawn by its seed", () => {
  for (const { split, columns } of rows) {
    for (const writer of String(columns!["writer"]).split(",").map(Number)) {
      assert.equal(split, writer < 9 ? "train" : writer === 9 ? "validation" : "held_out");
    }
  }
  const key = (given: Record<string, unknown>) =>
    made(given).map(({ answer, images }) => `${answer} ${images![0]!.join()}`);
  assert.deepEqual(key({}), key({}));
  assert.notDeepEqual(key({ seed: 4 }), key({}));
});

Deno.test("visual_grounding wants a box from an overlap of a half on, in answer tags or alone", () => {
  const row = { answer: "(0,0),(200,200)" };
  for (
    const right of [
      "(0,0),(200,200)",
      "<think>up</think><answer>(20, 0), (200, 200)</answer>",
      " (0,0),(120,200) ",
      "(0,0),(100,200)",
    ]
  ) {
    assert.equal(visualGrounding.verify(right, row), true, right);
  }
  for (
    const wrong of [
      "(0,0),(98,200)",
      "(200,200),(0,0)",
      "(0,0),(200,200),(0,0),(200,200)",
      "<answer>(0,0),(200,200)",
      "the seven",
    ]
  ) {
    assert.equal(visualGrounding.verify(wrong, row), false, wrong);
  }
});
