import assert from "node:assert/strict";
import { giou, iou } from "../../../../steps/rewards/visual_rft/boxes.ts";

Deno.test("iou() is shared area over joint area", () => {
  assert.equal(iou([0, 0, 2, 2], [0, 0, 2, 2]), 1);
  assert.equal(iou([0, 0, 2, 2], [1, 0, 3, 2]), 1 / 3);
  assert.equal(iou([0, 0, 2, 2], [2, 0, 3, 2]), 0);
  assert.equal(iou([0, 0, 100, 100], [1, 1, 100, 100]), 0.9801);
  assert.equal(iou([0, 0, 2, 2], [NaN, 0, 2, 2]), NaN);
});

Deno.test("giou() also sees how far boxes are apart", () => {
  assert.equal(giou([0, 0, 2, 2], [0, 0, 2, 2]), 1);
  assert.equal(giou([0, 0, 1, 1], [2, 0, 3, 1]), -1 / 3);
  assert(Math.abs(giou([0, 0, 2, 2], [1, 0, 3, 2]) - 1 / 3) < 1e-15);
});
