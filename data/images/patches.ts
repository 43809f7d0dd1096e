/** Makes of an image the patches that Qwen2-VL's vision tower reads. @module */
import { bicubic } from "./bicubic.ts";
import type { DecodedImage } from "./decode.ts";
import type { ImageProcessor } from "./processor_config.ts";
import { gridOf, smartResize } from "./smart_resize.ts";

interface ImagePatches {
  readonly grid: { readonly t: 1; readonly h: number; readonly w: number };
  /** float32 [h × w, 3 × temporal × patch × patch]; rows by blocks that are merged, in a row: colour, frame, y, x. */
  readonly patches: Float32Array;
}

/**
 * Resized, normalised, cut into patches as transformers' Qwen2VLImageProcessorPil does, bit for bit: a still image stands
 * in every frame of `temporalPatchSize`. Throws RangeError as `smartResize` does.
 */
export function imagePatches(image: DecodedImage, processor: ImageProcessor): ImagePatches {
  const { patchSize: patch, mergeSize: merge, temporalPatchSize: frames } = processor;
  const { width, height } = smartResize(image, processor), grid = gridOf(image, processor);
  const rgb = bicubic(image.rgb, image.width, image.height, width, height);
  const values = [0, 1, 2].map((color) => normalised(processor.mean[color]!, processor.std[color]!));
  const patches = new Float32Array(grid.h * grid.w * 3 * frames * patch * patch);
  let to = 0;
  const write = (top: number, left: number) => {
    for (let color = 0; color < 3; color++) {
      const first = to;
      for (let y = 0; y < patch; y++) {
        let from = ((top + y) * width + left) * 3 + color;
        for (let x = 0; x < patch; x++, from += 3) patches[to++] = values[color]![rgb[from]!]!;
      }
      const size = to - first;
      for (let frame = 1; frame < frames; frame++, to += size) patches.copyWithin(to, first, first + size);
    }
  };
  for (let row = 0; row < grid.h; row += merge) {
    for (let column = 0; column < grid.w; column += merge) {
      for (let y = row; y < row + merge; y++) {
        for (let x = column; x < column + merge; x++) write(y * patch, x * patch);
      }
    }
  }
  return { grid, patches };
}

/** What each byte becomes: (byte / 255 - mean) / std, each step rounded to float32 as NumPy does. */
function normalised(mean: number, std: number): Float32Array {
  const f32 = Math.fround;
  return Float32Array.from({ length: 256 }, (_, byte) => f32(f32(f32(byte * (1 / 255)) - f32(mean)) / f32(std)));
}
