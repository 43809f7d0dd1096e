import assert from "node:assert/strict";
import type { Box } from "../../../data/boxes/iou.ts";
import { BOX_UNITS, boxProblem, type BoxUnit, convertBox, wholeBox } from "../../../data/images/boxes.ts";
import { data } from "../../../workflows/cli/data.ts";

const SIZE = { width: 200, height: 50 };

Deno.test("convertBox() scales by width and by height, rounds nothing, and comes back", () => {
  assert.deepEqual(convertBox([20, 5, 100, 50], SIZE, "pixels", "thousandths"), [100, 100, 500, 1000]);
  assert.deepEqual(convertBox([100, 100, 500, 1000], SIZE, "thousandths", "pixels"), [20, 5, 100, 50]);
  assert.deepEqual(convertBox([1, 1, 2, 2], { width: 3, height: 7 }, "pixels", "thousandths"), [
    1000 / 3,
    1000 / 7,
    2000 / 3,
    2000 / 7,
  ]);
  assert.deepEqual(convertBox([1, 2, 3, 4], SIZE, "pixels", "pixels"), [1, 2, 3, 4]);
});

Deno.test("boxProblem() names what is wrong, and is silent on boxes at the very edge", () => {
  const good: readonly (readonly [Box, BoxUnit])[] = [
    [[0, 0, 200, 50], "pixels"],
    [[0, 0, 1000, 1000], "thousandths"],
    [[3, 4, 5, 6], "pixels"],
  ];
  for (const [box, unit] of good) assert.equal(boxProblem(box, SIZE, unit), null);
  const cases: readonly (readonly [readonly unknown[], RegExp])[] = [
    [[0, 0, 201, 50], /box \[0, 0, 201, 50\] is not within its image \(200 × 50 pixels\), want coordinates in pixels/],
    [[0, 0, 200, 50.5], /is not within/],
    [[-1, 0, 20, 20], /is not within/],
    [[5, 5, 5, 20], /has no area, want its corners apart/],
    [[5, 5, 9, 5], /has no area/],
    [[9, 5, 5, 20], /has its corners swapped, want left, top, right, bottom/],
    [[5, 20, 9, 5], /has its corners swapped/],
    [[NaN, 0, 1, 1], /box \[NaN, 0, 1, 1\] holds NaN, want 4 numbers/],
    [[0, 0, Infinity, 1], /want 4 numbers/],
    [["1", 0, 1, 1], /holds "1", want 4 numbers/],
    [[1, 2, 3], /has 3 numbers, want 4/],
    [Array(1e6).fill(1), /^(?=.{1,250}$).* has 1000000 numbers, want 4/],
    [["x".repeat(5e6), 0, 1, 1], /^.{1,300}$/],
  ];
  for (const [box, want] of cases) assert.match(boxProblem(box, SIZE, "pixels")!, want);
});

Deno.test("every unit is an own entry: a box of the whole image is whole in it, and the command data offers it", () => {
  const whole = { thousandths: [0, 0, 1000, 1000], pixels: [0, 0, 200, 50] } satisfies Record<BoxUnit, Box>;
  for (const from of BOX_UNITS) {
    for (const to of BOX_UNITS) assert.deepEqual(convertBox(whole[from], SIZE, from, to), whole[to]);
  }
  assert.throws(
    () => convertBox([0, 0, 1, 1], SIZE, "inches" as BoxUnit, "pixels"),
    TypeError,
    "no unit is a fallback",
  );
  assert.equal(data.options["box-unit"]!.choices, BOX_UNITS);
});

Deno.test("wholeBox() rounds, and keeps an area at every edge", () => {
  assert.deepEqual(wholeBox([20.4, 5, 100, 50], SIZE, "pixels", "thousandths"), [102, 100, 500, 1000]);
  assert.deepEqual(wholeBox([998, 998, 1000, 1000], SIZE, "thousandths", "pixels"), [199, 49, 200, 50]);
  assert.deepEqual(wholeBox([1, 1, 1.2, 3], SIZE, "pixels", "pixels"), [1, 1, 2, 3]);
});
