import assert from "node:assert/strict";
import { pixelBox, shownValue } from "../../../../data/datasets/detection/annotated_box.ts";

const size = { width: 200, height: 100 };

Deno.test("pixelBox() gives corners, and cuts off what reaches at most a pixel beyond the image", () => {
  assert.deepEqual(pixelBox([10, 20, 30.5, 40], size), [10, 20, 40.5, 60]);
  assert.deepEqual(pixelBox([0, 0, 200, 100], size), [0, 0, 200, 100]);
  assert.deepEqual(pixelBox([-1, -0.5, 20, 20], size), [0, 0, 19, 19.5]);
  assert.deepEqual(pixelBox([190, 90, 11, 10.25], size), [190, 90, 200, 100]);
});

for (
  const [bbox, problem] of [
    [[-1.1, 0, 5, 5], "has bbox [-1.1,0,5,5], which reaches 1.1 pixels beyond its image of 200 × 100, want at most 1"],
    [[0, -2, 5, 5], "reaches 2 pixels"],
    [[190, 0, 12, 5], "reaches 2 pixels"],
    [[0, 90, 5, 12.5], "reaches 2.5 pixels"],
    [[1e300, 0, 5, 5], "beyond its image"],
    [[5, 5, 0, 5], "has bbox [5,5,0,5] of width 0 and height 5, want both above 0"],
    [[5, 5, 5, -3], "of width 5 and height -3"],
    [[200, 5, 0.5, 5], "which lies beside its image of 200 × 100"],
    [[-0.5, 5, 0.5, 5], "which lies beside its image"],
  ] as const
) {
  Deno.test(`pixelBox() refuses ${bbox}`, () => {
    const found = pixelBox(bbox, size);
    assert(typeof found === "string" && found.includes(problem), String(found));
  });
}

Deno.test("shownValue() is short, and shows the numbers of Python as these", () => {
  assert.equal(shownValue([1, "NaN", "-Infinity", "x"]), '[1,NaN,-Infinity,"x"]');
  assert.equal(shownValue(undefined), "none");
  assert.equal(shownValue("x".repeat(1000)).length, 61);
});
