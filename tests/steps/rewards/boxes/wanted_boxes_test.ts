import assert from "node:assert/strict";
import { boxesProblem, oneBoxProblem, wantedBox, wantedBoxes } from "../../../../steps/rewards/boxes/wanted_boxes.ts";
import { rewardBatch } from "../batch.ts";

const of = (answer: string) => rewardBatch([""], { answers: [answer], rows: [{ prompt_id: 7 }] });
const boxes = (answer: string) => wantedBoxes("visual/iou", of(answer), 0)?.map(({ box }) => box);

Deno.test("wantedBoxes() reads the boxes of an answer, in tags or not; null without an answer", () => {
  assert.deepEqual(boxes("<answer>[{'Position': [1, 2, 3, 4], 'Confidence': 1}]</answer>"), [[1, 2, 3, 4]]);
  assert.deepEqual(boxes("(1,2),(3,4) (5,6),(7,8)"), [[1, 2, 3, 4], [5, 6, 7, 8]]);
  assert.deepEqual(boxes("No Objects"), []);
  assert.equal(boxes(" "), undefined);
});

Deno.test("wantedBoxes() names an answer that is none, and its prompt", () => {
  const wrong: [answer: string, want: RegExp][] = [
    ["cat", /reward "visual\/iou": the answer of prompt 7 is "cat": it has no boxes, want boxes as \[\{/],
    ["[1, 2, NaN, 4]", /its box 1 has no four finite numbers/],
    ["[[1, 2, 3, 4], [3, 4, 1, 2]]", /its box 2 is \[3, 4, 1, 2\], which covers nothing/],
    ["[1, 2, 1, 4]", /its box 1 is \[1, 2, 1, 4\], which covers nothing/],
    [`\u001b${"x".repeat(1e5)}`, /^Cannot score with reward "visual\/iou": the answer of prompt 7 is "\ufffdx{79}…": /],
  ];
  for (const [answer, want] of wrong) {
    assert.throws(() => boxes(answer), (error) => error instanceof RangeError && want.test(error.message), answer);
  }
});

Deno.test("wantedBox() wants exactly one", () => {
  assert.deepEqual(wantedBox("visual/giou", of("(1,2),(3,4)"), 0)?.box, [1, 2, 3, 4]);
  assert.equal(wantedBox("visual/giou", of(""), 0), null);
  for (const [answer, count] of [["No Objects", 0], ["(1,2),(3,4),(1,2),(3,4)", 2]] as const) {
    assert.throws(
      () => wantedBox("visual/giou", of(answer), 0),
      new RegExp(`it has ${count} boxes, want one; for several`),
    );
  }
});

Deno.test("boxesProblem() and oneBoxProblem() say of an answer what scoring would, and nothing of one that is missing", () => {
  for (const good of ["", " ", "No Objects", "[1, 2, 3, 4]"]) assert.equal(boxesProblem(good), null);
  assert.match(
    boxesProblem("<answer>red square</answer>")!,
    /^it has no boxes, want boxes as .*; mend the column answer/,
  );
  for (const good of ["", "[1, 2, 3, 4]"]) assert.equal(oneBoxProblem(good), null);
  assert.match(oneBoxProblem("No Objects")!, /^it has 0 boxes, want one/);
  assert.match(oneBoxProblem("red square")!, /^it has no boxes/);
});
