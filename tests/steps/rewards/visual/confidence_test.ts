import assert from "node:assert/strict";
import { visualConfidence } from "../../../../steps/rewards/visual/confidence.ts";
import { rewardBatch } from "../batch.ts";

const TRUE = "<answer>[{'Position': [233, 546, 298, 618], 'Confidence': 1}]</answer>";
const box = (at: string, confidence: string) => `{'Position': [${at}], 'Confidence': ${confidence}}`;
const RIGHT = "236, 550, 300, 619", WRONG = "3, 4, 9, 9";
const score = (given: Record<string, unknown>, ...boxes: string[][]) => {
  const texts = boxes.map((list) => `<answer>[${list.join(", ")}]</answer>`);
  return visualConfidence.score(
    visualConfidence.params.parse(given),
    rewardBatch(texts, { answers: texts.map(() => TRUE) }),
  );
};

Deno.test("visual/confidence is the confidence of a right box, 1 minus that of a wrong one, their mean", () => {
  for (const compat of [false, true]) {
    const scores = score(
      { compat },
      [box(RIGHT, "0.25")],
      [box(WRONG, "0.25")],
      [box(RIGHT, "0.5"), box(WRONG, "0")],
      [],
    );
    assert.deepEqual(scores, [0.25, 0.75, 0.75, 0]);
  }
});

Deno.test("visual/confidence of one that is no probability is 0 for this box", () => {
  for (const strange of ["NaN", "1.01", "-0.01", "None"]) {
    assert.deepEqual(score({}, [box(RIGHT, strange)], [box(RIGHT, "1"), box(WRONG, strange)]), [0, 0.5], strange);
  }
  assert.deepEqual(score({ compat: true }, [box(RIGHT, "NaN")]), [NaN]);
});

Deno.test("visual/confidence has a box right from iou_threshold on", () => {
  assert.deepEqual(score({ iou_threshold: 0.9 }, [box(RIGHT, "0.25")]), [0.75]);
});
