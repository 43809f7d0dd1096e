/** Overlap of two rectangles [x1, y1, x2, y2] with x1 < x2 and y1 < y2, in one unit, areas without the +1 of pixels. @module */

/** Left, top, right, bottom; both in one unit, pixels or thousandths of the image's sides. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

/** From this IoU on a box is the one that was meant, unless an option says another (COCO's AP50). */
export const SAME_BOX = 0.5;

/** Shared area, joint area, and that of the smallest box around both; null where one of them covers nothing. */
interface Areas {
  readonly shared: number;
  readonly union: number;
  readonly around: number;
}

/** True of four finite numbers, the first corner above and left of the second: what has an area. */
export function hasArea([x1, y1, x2, y2]: Box): boolean {
  // A side or an area that overflows is none that can be compared.
  return x1 < x2 && y1 < y2 && Number.isFinite((x2 - x1) * (y2 - y1));
}

function areasOf(a: Box, b: Box): Areas | null {
  if (!hasArea(a) || !hasArea(b)) return null;
  const area = ([x1, y1, x2, y2]: Box) => (x2 - x1) * (y2 - y1);
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const shared = width * height, union = area(a) + area(b) - shared;
  const around = (Math.max(a[2], b[2]) - Math.min(a[0], b[0])) * (Math.max(a[3], b[3]) - Math.min(a[1], b[1]));
  // Areas that overflow, or vanish by rounding, cannot be divided.
  return union > 0 && around > 0 && Number.isFinite(union) && Number.isFinite(around)
    ? { shared, union, around }
    : null;
}

/**
 * Intersection over union, 0 to 1: shared area over joint area. A box that covers nothing (swapped or equal corners,
 * NaN, infinite) has 0 with every box.
 */
export function iou(a: Box, b: Box): number {
  const areas = areasOf(a, b);
  return areas === null ? 0 : areas.shared / areas.union;
}

/**
 * Generalised intersection over union (Rezatofighi et al. 2019, eq. 5), -1 to 1: IoU - (C - U) / C, U the joint area, C
 * that of the smallest box around both. 1 for equal boxes, towards -1 for distant ones; -1 for a box that covers nothing.
 */
export function giou(a: Box, b: Box): number {
  const areas = areasOf(a, b);
  if (areas === null) return -1;
  const { shared, union, around } = areas;
  return shared / union - (around - union) / around;
}
