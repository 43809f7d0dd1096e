/** Boxes in an image: their units, and what is wrong with one. @module */
import { briefly } from "../error_text.ts";
import type { Box } from "../boxes/iou.ts";
import type { ImageSize } from "./image_id.ts";

/** In which coordinates stand: pixels of the image as it is given, or thousandths of its width and height. */
export const BOX_UNITS = ["thousandths", "pixels"] as const;
export type BoxUnit = (typeof BOX_UNITS)[number];

const THOUSAND = 1000;

/** How far coordinates go, right and down, and how that is said; the compiler asks for a unit that is new. */
const EXTENTS: Readonly<Record<BoxUnit, (size: ImageSize) => readonly [number, number]>> = {
  thousandths: () => [THOUSAND, THOUSAND],
  pixels: ({ width, height }) => [width, height],
};
const ROOMS: Readonly<Record<BoxUnit, (size: ImageSize) => string>> = {
  thousandths: () => `0 to ${THOUSAND}`,
  pixels: ({ width, height }) => `${width} × ${height} pixels`,
};

/** The same box in another unit; nothing is rounded. */
export function convertBox(box: Box, size: ImageSize, from: BoxUnit, to: BoxUnit): Box {
  if (from === to) return box;
  const [fromX, fromY] = EXTENTS[from](size), [toX, toY] = EXTENTS[to](size);
  const x = (value: number) => value * toX / fromX, y = (value: number) => value * toY / fromY;
  return [x(box[0]), y(box[1]), x(box[2]), y(box[3])];
}

/**
 * The same box in another unit, in whole numbers: the nearest, but no box loses its area. A side shorter than one unit
 * becomes the unit that it lies in.
 */
export function wholeBox(box: Box, size: ImageSize, from: BoxUnit, to: BoxUnit): Box {
  const [x1, y1, x2, y2] = convertBox(box, size, from, to), [width, height] = EXTENTS[to](size);
  const [left, right] = wholeSide(x1, x2, width), [top, bottom] = wholeSide(y1, y2, height);
  return [left, top, right, bottom];
}

function wholeSide(from: number, to: number, most: number): readonly [number, number] {
  const start = Math.round(from), end = Math.round(to);
  if (start < end) return [start, end];
  const low = Math.min(most - 1, Math.floor(from));
  return [low, low + 1];
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
  const [x1, y1, x2, y2] = box as unknown as Box, [width, height] = EXTENTS[unit](size);
  if (x1 > x2 || y1 > y2) return `box ${shown} has its corners swapped, want left, top, right, bottom`;
  if (x1 === x2 || y1 === y2) return `box ${shown} has no area, want its corners apart`;
  if (x1 < 0 || y1 < 0 || x2 > width || y2 > height) {
    return `box ${shown} is not within its image (${
      ROOMS[unit](size)
    }), want coordinates in ${unit}, or name the unit they are in`;
  }
  return null;
}
