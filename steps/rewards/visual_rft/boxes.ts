/** Overlap of rectangles [x1, y1, x2, y2], areas without the +1 of pixels. @module */
import type { Box } from "../../../data/boxes/iou.ts";

// As Python's max and min: the first where neither is larger, NaN included.
const larger = (a: number, b: number) => b > a ? b : a, smaller = (a: number, b: number) => b < a ? b : a;
const area = ([x1, y1, x2, y2]: Box) => (x2 - x1) * (y2 - y1);

/** Intersection over union (Visual-RFT grpo.py calculate_iou); RangeError where the union has no area. */
export function iou(a: Box, b: Box): number {
  const x1 = larger(a[0], b[0]), y1 = larger(a[1], b[1]), x2 = smaller(a[2], b[2]), y2 = smaller(a[3], b[3]);
  if (!(x1 < x2 && y1 < y2)) return 0;
  const shared = (x2 - x1) * (y2 - y1), union = area(a) + area(b) - shared;
  if (union === 0) throw new RangeError("Cannot compare boxes: their union has no area");
  return shared / union;
}

/**
 * Generalised intersection over union (Rezatofighi et al. 2019, eq. 5): IoU - (C - U) / C, C the area of the smallest
 * box around both. 1 for equal boxes, towards -1 for distant ones; anything where corners are reversed.
 */
export function giou(a: Box, b: Box): number {
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const shared = width * height, union = area(a) + area(b) - shared;
  const around = (Math.max(a[2], b[2]) - Math.min(a[0], b[0])) * (Math.max(a[3], b[3]) - Math.min(a[1], b[1]));
  return shared / union - (around - union) / around;
}
