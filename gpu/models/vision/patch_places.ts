/**
 * Where the patches of an image are: row and column of each, its window, and the rotary tables of the tower.
 *
 * Patches of one merged token are neighbours, tokens go row by row. Source: transformers models/qwen2_vl/modeling_qwen2_vl.py
 * `rot_pos_emb`, `VisionRotaryEmbedding`; models/qwen2_5_vl/modeling_qwen2_5_vl.py `get_window_index`.
 * @module
 */
import type { ImageInput } from "./image_input.ts";
import { VISION_THETA, type VisionConfig } from "../vision_config.ts";

type Grid = ImageInput["grid"];

const { fround } = Math;

/** Row and column of each patch, in their order. */
export function patchPlaces({ h, w }: Grid, merge: number): { readonly row: number; readonly column: number }[] {
  const places = [];
  for (let top = 0; top < h; top += merge) {
    for (let left = 0; left < w; left += merge) {
      for (let i = 0; i < merge ** 2; i++) {
        places.push({ row: top + Math.floor(i / merge), column: left + i % merge });
      }
    }
  }
  return places;
}

/**
 * Writes cos and sin of an image's patches, float32 [h · w, head size / 2] each, from element `from` on: the first half of
 * the frequencies turns with the row, the second with the column.
 */
export function writePatchTables(
  { cos, sin }: { readonly cos: Float32Array; readonly sin: Float32Array },
  from: number,
  grid: Grid,
  { embedDim, heads, mergeSize }: VisionConfig,
): void {
  const quarter = embedDim / heads / 4, half = 2 * quarter;
  const frequencies = Float32Array.from(
    { length: quarter },
    (_, i) => 1 / fround(VISION_THETA ** fround(2 * i / half)),
  );
  patchPlaces(grid, mergeSize).forEach(({ row, column }, patch) => {
    for (let i = 0; i < half; i++) {
      const angle = fround((i < quarter ? row : column) * frequencies[i % quarter]!);
      cos[from + patch * half + i] = Math.cos(angle);
      sin[from + patch * half + i] = Math.sin(angle);
    }
  });
}

/**
 * The window of each patch, from 1. Windows are squares of merged tokens from the upper left corner on; those at the right
 * and lower edge are as large as the image leaves them.
 */
export function patchWindows(grid: Grid, { window, mergeSize, patchSize }: VisionConfig): Float32Array {
  const side = window === null ? Infinity : Math.floor(window.pixels / mergeSize / patchSize);
  const across = Math.ceil(grid.w / mergeSize / side) || 1;
  return Float32Array.from(patchPlaces(grid, mergeSize), ({ row, column }) => {
    const [y, x] = [row, column].map((place) => Math.floor(Math.floor(place / mergeSize) / side));
    return 1 + y! * across + x!;
  });
}
