/** Images as a model takes them: patches and their grid, carried by the row of token ids that they stand in. @module */

/** One image of a prompt. */
export interface ImageInput {
  /** The same for the same pixels: what a model computes of an image is kept by it. */
  readonly id: string;
  /** Patches along each side, multiples of the merge size. */
  readonly grid: { readonly h: number; readonly w: number };
  /** float32 [h · w, channels · temporal · patch · patch], the patches of one merged token neighbours, in the order of tokens. */
  patches(): Promise<Float32Array>;
}

/**
 * A prompt's tokens. Images stand in the order of their placeholders, of which each has one per merged patch. Whoever
 * hands the row on hands them on: nothing else pairs prompts with images.
 */
export type PromptIds = Int32Array & { readonly images?: readonly ImageInput[] };

/** Said where rows carry images that nothing can read. */
export const NO_TOWER =
  "Cannot read prompts with images: the model reads words alone, want one with a vision tower (qwen2_vl, qwen2_5_vl); " +
  "load another model, or prompts without images";

/** The row with its images. */
export function promptIds(ids: Int32Array, images: readonly ImageInput[]): PromptIds {
  return images.length === 0 ? ids : Object.assign(ids, { images });
}

/** The images that stand in a row of tokens. */
export function imagesOf(row: ArrayLike<number>): readonly ImageInput[] {
  return (row as Partial<Pick<PromptIds, "images">>).images ?? [];
}

/** Each image of the rows once, in the order of first sight. */
export function uniqueImages(rows: readonly ArrayLike<number>[]): ImageInput[] {
  return [...new Map(rows.flatMap((row) => imagesOf(row).map((image) => [image.id, image] as const))).values()];
}

/** Tokens that an image takes in a prompt. */
export function imageTokens({ grid: { h, w } }: Pick<ImageInput, "grid">, mergeSize: number): number {
  return h * w / mergeSize ** 2;
}
