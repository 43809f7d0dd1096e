import assert from "node:assert/strict";
import { answerOf, promptOf, usualTemplate } from "../../../../data/datasets/detection/detection_texts.ts";

const size = { width: 200, height: 400 };

Deno.test("answerOf() writes boxes in thousandths of width and height, or in pixels", () => {
  const boxes = [[10.4, 20, 40.6, 60], [0, 0, 200, 400]] as const;
  assert.equal(
    answerOf(boxes, size, "thousandths"),
    "<answer>[{'Position': [52, 50, 203, 150], 'Confidence': 1}, {'Position': [0, 0, 1000, 1000], 'Confidence': 1}]</answer>",
  );
  assert.equal(
    answerOf(boxes, size, "pixels"),
    "<answer>[{'Position': [10, 20, 41, 60], 'Confidence': 1}, {'Position': [0, 0, 200, 400], 'Confidence': 1}]</answer>",
  );
  assert.equal(answerOf([], size, "pixels"), "<answer>No Objects</answer>");
});

Deno.test("answerOf() leaves no box without area, and none outside the image", () => {
  const wide = { width: 4000, height: 4000 };
  const position = (box: readonly [number, number, number, number]) =>
    JSON.parse(/\[[\d, ]+\]/.exec(answerOf([box], wide, "thousandths"))![0]);
  assert.deepEqual(position([8.1, 9.9, 9.0, 11.9]), [2, 2, 3, 3]);
  assert.deepEqual(position([3999.5, 0, 4000, 0.5]), [999, 0, 1000, 1]);
});

Deno.test("promptOf() puts the category's words wherever the template has {category}, and changes nothing else", () => {
  assert.equal(promptOf("{a} {category}, {category}?", "traffic_light"), "{a} traffic light, traffic light?");
  assert.equal(promptOf("{category}", "$& $1"), "$& $1");
});

Deno.test("usualTemplate() says the unit, the form and what to say of nothing", () => {
  const thousandths = usualTemplate("thousandths"), pixels = usualTemplate("pixels");
  assert.match(thousandths, /from 0 to 1000/);
  assert.match(pixels, /in pixels/);
  for (const text of [thousandths, pixels]) {
    for (
      const part of ["{category}", "No Objects", "<answer>[{'Position': [x1, y1, x2, y2], 'Confidence'", "<think>"]
    ) {
      assert(text.includes(part), part);
    }
  }
});
