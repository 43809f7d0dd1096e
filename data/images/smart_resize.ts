/** To which size Qwen2-VL brings an image, and how many patches it then has. @module */
import type { ImageSize } from "./image_id.ts";
import type { ImageProcessor } from "./processor_config.ts";

/** The longer side over the shorter one; transformers refuses more. */
const MOST_STRETCHED = 200;

/**
 * Both sides divisible by patch × merge, the pixels between `minPixels` and `maxPixels`, the shape about kept
 * (transformers, qwen2_vl/image_processing_pil_qwen2_vl.py, smart_resize).
 *
 * Throws RangeError for an image more than 200 times as long as it is wide.
 */
export function smartResize({ width, height }: ImageSize, processor: ImageProcessor): ImageSize {
  const { patchSize, mergeSize, minPixels, maxPixels } = processor, factor = patchSize * mergeSize;
  const stretched = Math.max(width, height) / Math.min(width, height);
  if (stretched > MOST_STRETCHED) {
    throw new RangeError(
      `Cannot resize an image of ${width} × ${height} pixels: one side is ${Math.round(stretched)} times the other, ` +
        `want ${MOST_STRETCHED} times at most; crop it`,
    );
  }
  const near = { width: halfEven(width / factor) * factor, height: halfEven(height / factor) * factor };
  if (near.width * near.height > maxPixels) {
    const beta = Math.sqrt(height * width / maxPixels);
    const less = (side: number) => Math.max(factor, Math.floor(side / beta / factor) * factor);
    return { width: less(width), height: less(height) };
  }
  if (near.width * near.height < minPixels) {
    const beta = Math.sqrt(minPixels / (height * width));
    const more = (side: number) => Math.ceil(side * beta / factor) * factor;
    return { width: more(width), height: more(height) };
  }
  return near;
}

/** Patches of an image of `size`, before four of them are merged: one frame, `h` rows of `w`. */
export function gridOf(
  size: ImageSize,
  processor: ImageProcessor,
): { readonly t: 1; readonly h: number; readonly w: number } {
  const { width, height } = smartResize(size, processor);
  return { t: 1, h: height / processor.patchSize, w: width / processor.patchSize };
}

/** Python's round(): a half goes to the even neighbour. */
function halfEven(value: number): number {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + below % 2 : Math.round(value);
}
