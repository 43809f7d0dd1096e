/** Images and prompts that tests make up, for models of any size. @module */
import type { ModelConfig } from "../../../../gpu/models/config.ts";
import { type ImageInput, type PromptIds, promptIds } from "../../../../gpu/models/vision/image_input.ts";
import { patchWidth } from "../../../../gpu/models/vision_config.ts";

type Vision = Pick<ModelConfig, "vision" | "imageToken">;

/** An image that counts how often its patches are asked for. */
export interface MadeImage extends ImageInput {
  reads: number;
}

/** Numbers in (-1.5, 1.5) that follow from `id`. */
export function madeImage(id: string, h: number, w: number, { vision }: Vision): MadeImage {
  const seed = Array.from(id).reduce((sum, letter) => 7 * sum + letter.charCodeAt(0), 1) % 997;
  const patches = Float32Array.from(
    { length: h * w * patchWidth(vision!) },
    (_, i) => 1.5 * Math.sin(0.7 * seed + i * 0.61 + (i % 89) ** 2),
  );
  return {
    id,
    grid: { h, w },
    reads: 0,
    patches() {
      this.reads++;
      return Promise.resolve(patches);
    },
  };
}

/** Two words, then each image with its placeholders and a word, then `after`. */
export function madePrompt(images: readonly ImageInput[], after: readonly number[], config: Vision): PromptIds {
  const { vision, imageToken } = config;
  const ids = images.flatMap(({ grid: { h, w } }) => [
    ...Array<number>(h * w / vision!.mergeSize ** 2).fill(imageToken!),
    37,
  ]);
  return promptIds(Int32Array.from([11, 12, ...ids, ...after]), images);
}
