/** Boxes in an image: their units, and what is wrong with one. @module */
import { briefly } from "../error_text.ts";
import type { Box } from "../boxes/iou.ts";
import type { ImageSize } from "./image_id.ts";

/** In which coordinates stand: pixels of the image as it is given, or thousandths of its width and height. */
export const BOX_UNITS = ["thousandths", "pixels"] as const;
export type BoxUnit = (typeof BOX_UNITS)[number];

const THOUSAND = 1000;

/** How far coordinates may go, right and down. */
const extent = ({ width, height }: ImageSize, unit: BoxUnit) =>
  unit === "pixels" ? [width, height] as const : [THOUSAND, THOUSAND] as const;

/** The same box in another unit; nothing is rounded. */
export function convertBox(box: Box, size: ImageSize, from: BoxUnit, to: BoxUnit): Box {
  if (from === to) return box;
  const [fromX, fromY] = extent(size, from), [toX, toY] = extent(size, to);
  const x = (value: number) => value * toX / fromX, y = (value: number) => value * toY / fromY;
  return [x(box[0]), y(box[1]), x(box[2]), y(box[3])];
}

/** What is wrong with a box in such an image, as the end of a sentence about it; null for one that can be meant. */
export function boxProblem(box: readonly unknown[], size: ImageSize, unit: BoxUnit): string | null {
  const shown = briefly(`[${box.slice(0, 50).map((value) => briefly(String(value))).join(", ")}]`);
  if (box.length !== 4) return `box ${shown} has ${box.length} numbers, want 4: left, top, right, bottom`;
  const strange = box.find((value) => typeof value !== "number" || !Number.isFinite(value));
  if (strange !== undefined) {
    return `box ${shown} holds ${
      typeof strange === "string" ? briefly(JSON.stringify(strange)) : strange
    }, want 4 numbers`;
  }
  const [x1, y1, x2, y2] = box as unknown as Box, [width, height] = extent(size, unit);
  if (x1 > x2 || y1 > y2) return `box ${shown} has its corners swapped, want left, top, right, bottom`;
  if (x1 === x2 || y1 === y2) return `box ${shown} has no area, want its corners apart`;
  if (x1 < 0 || y1 < 0 || x2 > width || y2 > height) {
    const room = unit === "pixels" ? `${width} × ${height} pixels` : "0 to 1000";
    return `box ${shown} is not within its image (${room}), want coordinates in ${unit}, or name the unit they are in`;
  }
  return null;
}
