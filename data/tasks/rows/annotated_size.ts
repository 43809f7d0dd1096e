/** Compares the size that annotations say of an image with its own. @module */
import type { Row } from "../../datasets/row_batch.ts";
import { isOnItsSide } from "../../images/exif.ts";
import type { ImageHeader } from "../../images/header.ts";

/**
 * What is wrong with `width` and `height` of a row made of annotations, in pixels, as the end of a sentence about it; null
 * where they are the image's. Boxes are scaled by them, so that others would put every box somewhere else.
 *
 * COCO's format does not say whether sizes are those of the file or of the image as it is seen, and its own images have
 * no orientation. Here it is the image as it is seen, as detectron2 and OpenCV have it. One that EXIF merely mirrors, or
 * turns by half, has the same size either way, and nothing to tell by.
 */
export function annotatedSizeProblem(
  name: string,
  { width, height }: Row,
  header: Pick<ImageHeader, "width" | "height" | "orientation">,
): string | null {
  if (width === header.width && height === header.height) return null;
  const own = `${name} is ${header.width} × ${header.height} pixels`, said = `its annotations say ${width} × ${height}`;
  return isOnItsSide(header.orientation) && width === header.height && height === header.width
    ? `${own} as it is seen, for its EXIF turns it (orientation ${header.orientation}), and ${said}, as it is stored; ` +
      "annotate what is seen, or take the orientation out of the file"
    : `${own}, and ${said}, by which its boxes are scaled; give the image that was annotated, or the size and boxes of this`;
}
