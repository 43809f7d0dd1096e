import assert from "node:assert/strict";
import { type Box, giou, hasArea, iou } from "../../../data/boxes/iou.ts";
import { uniform } from "../../../data/random.ts";

/** Numbers below 1 of a stream, one after the other. */
const randomOf = (stream: string, at = 0) => () => uniform(1, stream, 0, 0, at++);

/** Cells of a grid that lie in a box of whole numbers. */
function cellsOf([x1, y1, x2, y2]: Box): Set<string> {
  const cells = new Set<string>();
  for (let x = x1; x < x2; x++) for (let y = y1; y < y2; y++) cells.add(`${x},${y}`);
  return cells;
}

Deno.test("iou() and giou() are what counting the cells of a grid gives", () => {
  const random = randomOf("iou"), below = (most: number) => Math.floor(random() * most);
  for (let i = 0; i < 200; i++) {
    const box = (): Box => {
      const x = below(8), y = below(8);
      return [x, y, x + 1 + below(5), y + 1 + below(5)];
    };
    const a = box(), b = box(), inA = cellsOf(a), inB = cellsOf(b);
    const union = inA.union(inB).size, shared = inA.intersection(inB).size;
    const around =
      cellsOf([Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]).size;
    assert.equal(iou(a, b), shared / union);
    assert.equal(iou(b, a), iou(a, b));
    assert(Math.abs(giou(a, b) - (shared / union - 1 + union / around)) < 1e-12);
  }
});

Deno.test("iou() is 0 and giou() -1 for what covers nothing", () => {
  const whole: Box = [0, 0, 10, 10];
  const none: Box[] = [
    [10, 10, 0, 0], // both corners swapped: the product of its sides is positive
    [10, 0, 0, 10],
    [5, 0, 5, 10],
    [3, 3, 3, 3],
    [NaN, 0, 10, 10],
    [0, 0, Infinity, 10],
    [0, 0, 1e200, 1e200], // its area overflows
  ];
  for (const box of none) {
    assert(!hasArea(box), `${box}`);
    assert.deepEqual([iou(box, whole), iou(whole, box), iou(box, box)], [0, 0, 0], `${box}`);
    assert.deepEqual([giou(box, whole), giou(whole, box)], [-1, -1], `${box}`);
  }
  assert(hasArea(whole));
});

Deno.test("iou() and giou() stay finite for the smallest and largest boxes", () => {
  const boxes: Box[] = [[0, 0, 5e-324, 5e-324], [-1e154, 0, 1e153, 1], [0, 0, 1e154, 1e153], [1e153, 0, 1e154, 1e154]];
  for (const a of boxes) {
    for (const b of boxes) {
      assert(iou(a, b) >= 0 && iou(a, b) <= 1, `${a} ${b}`);
      assert(giou(a, b) >= -1 && giou(a, b) <= 1, `${a} ${b}`);
    }
  }
});
