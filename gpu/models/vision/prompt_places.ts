/**
 * Where the tokens of a prompt with images stand: three positions each (time, row, column), and which slot of its images.
 *
 * Text advances all three together; an image begins where the text before it ends, its tokens share the time and differ
 * in row and column, and what follows begins behind the largest of the three.
 * Source: transformers models/qwen2_vl/modeling_qwen2_vl.py `get_rope_index`; Qwen2-VL (arXiv 2409.12191) section 2.1.
 * @module
 */
import { spectrum } from "../config.ts";
import type { ModelConfig } from "../config.ts";
import { inverseFrequencies } from "../rope.ts";
import { imagesOf, imageTokens } from "./image_input.ts";

interface PromptPlaces {
  /** int32 [3 · T]: time, row and column of every token. */
  readonly positions: Int32Array;
  /** The position of the first token behind the prompt, the same on all axes. */
  readonly next: number;
  /** int32 [T]: number of the token among those of the prompt's images, one after the other; -1 for text. */
  readonly slots: Int32Array;
}

/** Throws a RangeError where placeholders are not as many as the images have tokens. */
export function promptPlaces(ids: ArrayLike<number>, config: ModelConfig): PromptPlaces {
  const { vision, imageToken } = config, images = imagesOf(ids), merge = vision!.mergeSize;
  const positions = new Int32Array(3 * ids.length), slots = new Int32Array(ids.length).fill(-1);
  let next = 0, slot = 0, image = 0;
  for (let t = 0; t < ids.length;) {
    if (ids[t] !== imageToken) {
      positions.fill(next++, 3 * t, 3 * t + 3);
      t++;
      continue;
    }
    const one = images[image++], grid = one && { h: one.grid.h / merge, w: one.grid.w / merge };
    const tokens = one ? imageTokens(one, merge) : 0;
    for (let i = 0; i < tokens; i++, t++) {
      if (ids[t] !== imageToken) throw mismatch(ids, config);
      positions.set([next, next + Math.floor(i / grid!.w), next + i % grid!.w], 3 * t);
      slots[t] = slot++;
    }
    if (tokens === 0) throw mismatch(ids, config);
    next += Math.max(grid!.h, grid!.w);
  }
  if (image !== images.length) throw mismatch(ids, config);
  return { positions, next, slots };
}

function mismatch(ids: ArrayLike<number>, { imageToken, vision }: ModelConfig): RangeError {
  const placeholders = Array.from(ids).filter((id) => id === imageToken).length, images = imagesOf(ids);
  const tokens = images.map((image) => imageTokens(image, vision!.mergeSize));
  return new RangeError(
    `Cannot read a prompt with ${images.length} images of [${tokens}] tokens: it has ${placeholders} placeholders, want ` +
      "one per token of each image, in their order; make it by the chat template",
  );
}

/** Writes cos and sin, float32 [T, head size / 2], of a prompt's tokens from element `from` on. */
export function writePromptTables(
  { cos, sin }: { readonly cos: Float32Array; readonly sin: Float32Array },
  from: number,
  positions: ArrayLike<number>,
  config: ModelConfig,
): void {
  const frequencies = inverseFrequencies(config.rope, spectrum(config)), half = frequencies.length;
  const axes = config.mropeSection!.flatMap((count, axis) => Array<number>(count).fill(axis));
  for (let t = 0; 3 * t < positions.length; t++) {
    for (let i = 0; i < half; i++) {
      const angle = Math.fround(positions[3 * t + axes[i]!]! * frequencies[i]!);
      cos[from + t * half + i] = Math.cos(angle);
      sin[from + t * half + i] = Math.sin(angle);
    }
  }
}
