import assert from "node:assert/strict";
import { judgeOneBox } from "../../../../steps/rewards/boxes/one_box.ts";
import { rewardBatch } from "../batch.ts";

const UNITS = { box_unit: "thousandths", answer_unit: "thousandths" } as const;
const judged = (text: string, answer = "(1,2),(3,4)") =>
  judgeOneBox(
    "visual/giou",
    UNITS,
    rewardBatch([text], { answers: [answer] }),
    0,
    (found, wanted) => found[0] * 100 + wanted[3],
  );

Deno.test("judgeOneBox() measures the one box and the true one, 0 without one, null without an answer", () => {
  assert.equal(judged("<answer>(7,8),(9,10)</answer>"), 704);
  assert.equal(judged('[{"bbox_2d": [7, 8, 9, 10]}]'), 704);
  for (const text of ["", "cat", "No Objects", "[[7, 8, 9, 10], [7, 8, 9, 10]]", "[[7, 8, 9, 10], 3]"]) {
    assert.equal(judged(text), 0, text);
  }
  assert.equal(judged("(7,8),(9,10)", ""), null);
});
