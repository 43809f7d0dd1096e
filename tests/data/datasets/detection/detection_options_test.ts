import assert from "node:assert/strict";
import { BOX_UNITS, DETECTION_COLUMNS, FREQUENCIES } from "../../../../data/datasets/detection/detection_options.ts";
import { detectionRows } from "../../../../data/datasets/detection/detection_rows.ts";
import { annotationsOf, box, categories, images } from "./made_annotations.ts";

Deno.test("DETECTION_COLUMNS are those of every row, BOX_UNITS and FREQUENCIES what is known", async () => {
  const read = await annotationsOf({ images, categories, annotations: [box(1, 1, 5, [1, 1, 5, 5])] });
  const fractions = { train: 1, validation: 0, held_out: 0 };
  for (const box_unit of BOX_UNITS) {
    const [first] = [...detectionRows(read, { box_unit }, { folder: "", split: null, fractions })];
    assert.deepEqual(Object.keys(first!.row), [...DETECTION_COLUMNS]);
  }
  assert.deepEqual(FREQUENCIES, ["r", "c", "f"]);
});
