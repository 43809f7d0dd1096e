import assert from "node:assert/strict";
import { promptWithImages } from "../../../../data/datasets/prompt_images.ts";
import { toAnswerUnit } from "../../../../steps/rewards/boxes/box_units.ts";
import { rewardBatch } from "../batch.ts";

const image = (size: string) => `${"0a".repeat(16)}-${size}.png`;
const batch = (...ids: string[]) =>
  rewardBatch([""], { prompts: [promptWithImages("find it", ids)], rows: [{ prompt_id: 7 }] });

Deno.test("toAnswerUnit() converts by the size of the prompt's image, and only where units differ", () => {
  const one = batch(image("200x50"), image("200x50"));
  const pixels = { box_unit: "pixels", answer_unit: "thousandths" } as const;
  assert.deepEqual(toAnswerUnit("visual/iou", pixels, one, 0)([20, 5, 100, 50]), [100, 100, 500, 1000]);
  const thousandths = { box_unit: "thousandths", answer_unit: "pixels" } as const;
  assert.deepEqual(toAnswerUnit("visual/iou", thousandths, one, 0)([100, 100, 500, 1000]), [20, 5, 100, 50]);
  const same = { box_unit: "pixels", answer_unit: "pixels" } as const;
  assert.deepEqual(toAnswerUnit("visual/iou", same, batch(), 0)([1, 2, 3, 4]), [1, 2, 3, 4]);
});

Deno.test("toAnswerUnit() wants the one size that a conversion needs", () => {
  const units = { box_unit: "pixels", answer_unit: "thousandths" } as const;
  assert.throws(() => toAnswerUnit("visual/iou", units, batch(), 0), /prompt 7 has no image, want one whose size/);
  assert.throws(
    () => toAnswerUnit("visual/iou", units, batch(image("2x2"), image("2x3")), 0),
    /prompt 7 has images of several sizes/,
  );
});
