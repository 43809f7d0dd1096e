/** Reads the box of an annotation in the pixels of its image. @module */
import type { Box } from "../../boxes/iou.ts";

/** COCO's boxes reach up to so many pixels beyond their image. */
const CLIPPED = 1;

/**
 * The box as corners, cut off at the image's edges where it reaches beyond by at most a pixel; else what is wrong with
 * it, as the end of a sentence about the annotation.
 *
 * bbox   left, top, width, height, in pixels: finite numbers
 */
export function pixelBox(
  bbox: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): Box | string {
  const [x, y, w, h] = bbox as [number, number, number, number], shown = `bbox ${shownValue(bbox)}`;
  if (w <= 0 || h <= 0) return `has ${shown} of width ${w} and height ${h}, want both above 0`;
  const beyond = Math.max(-x, -y, x + w - width, y + h - height);
  if (beyond > CLIPPED) {
    return `has ${shown}, which reaches ${Math.round(beyond * 100) / 100} pixels beyond its image of ` +
      `${width} × ${height}, want at most ${CLIPPED}`;
  }
  const box = [Math.max(0, x), Math.max(0, y), Math.min(width, x + w), Math.min(height, y + h)] as const;
  return box[0] < box[2] && box[1] < box[3] ? box : `has ${shown}, which lies beside its image of ${width} × ${height}`;
}

const MOST_SHOWN = 60;

/** A value of the file in an error: no longer than a line. */
export function shownValue(value: unknown): string {
  const text = value === undefined ? "none" : JSON.stringify(value).replaceAll(/"(-?(?:NaN|Infinity))"/g, "$1");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
