import assert from "node:assert/strict";
import { DETECTION_COLUMNS, FREQUENCIES } from "../../../../data/datasets/detection/detection_options.ts";
import { detectionRows } from "../../../../data/datasets/detection/detection_rows.ts";
import { BOX_UNITS } from "../../../../data/images/boxes.ts";
import { annotationsOf, box, categories, images } from "./made_annotations.ts";

Deno.test("DETECTION_COLUMNS are those of every row in both units, FREQUENCIES those of LVIS", async () => {
  const read = await annotationsOf({ images, categories, annotations: [box(1, 1, 5, [1, 1, 5, 5])] });
  const fractions = { train: 1, validation: 0, held_out: 0 };
  for (const box_unit of BOX_UNITS) {
    const [first] = [...detectionRows(read, { box_unit }, { folder: "", split: null, fractions })];
    assert.deepEqual(Object.keys(first!.row), [...DETECTION_COLUMNS]);
  }
  assert.deepEqual(FREQUENCIES, ["r", "c", "f"]);
});
