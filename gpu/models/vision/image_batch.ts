/** The images of a batch as a training graph takes them: each once, padded to one size, and where they stand in prompts. @module */
import type { ModelConfig } from "../config.ts";
import { bucketLength, type Rows } from "../padding.ts";
import type { VisionConfig } from "../vision_config.ts";
import { type ImageInput, imagesOf, imageTokens, uniqueImages } from "./image_input.ts";
import { patchWindows, writePatchTables } from "./patch_places.ts";
import { promptPlaces, writePromptTables } from "./prompt_places.ts";
import type { ImageShape, ImageStage } from "./tower.ts";

/** Inputs of a graph by name, as far as they are written here. */
type Inputs = Readonly<Record<string, { readonly data: unknown }>>;

/** The images of a batch, with the numbers of each at the stage of its graph. */
export interface BatchImages {
  readonly shape: ImageShape;
  readonly images: readonly ImageInput[];
  /** float32 [patches, width] of each, `width` the stage's; of stage features [tokens, D]. */
  readonly rows: readonly Float32Array[];
}

const patchesOf = ({ grid: { h, w } }: ImageInput) => h * w;

/** The sizes of a graph that reads the images of these prompts; a filler where there are none. */
export function imageShape(prompts: Rows, { mergeSize }: VisionConfig, stage: ImageStage): ImageShape {
  const images = uniqueImages(prompts), each = mergeSize ** 2;
  const most = images.reduce((most, image) => Math.max(most, patchesOf(image)), each);
  return {
    count: bucketLength(Math.max(images.length, 1)),
    patches: each * bucketLength(most / each),
    stage,
  };
}

/** The images of a batch of which nothing is known but how many a prompt has at most, and how large they are. */
export interface ImageLoad {
  /** Of a prompt. */
  readonly each: number;
  /** Of the largest image. */
  readonly patches: number;
  readonly stage: ImageStage;
}

/** The most that these prompts show; null where none has an image. */
export function imageLoad(prompts: Rows, stage: ImageStage): ImageLoad | null {
  const images = uniqueImages(prompts);
  if (images.length === 0) return null;
  const each = prompts.reduce((most, prompt) => Math.max(most, imagesOf(prompt).length), 0);
  return { each, patches: images.reduce((most, image) => Math.max(most, patchesOf(image)), 0), stage };
}

/** The sizes of a graph that reads so many prompts with as many images each, all of them others. */
export function loadShape(
  { each, patches, stage }: ImageLoad,
  prompts: number,
  { mergeSize }: VisionConfig,
): ImageShape {
  const merged = mergeSize ** 2;
  return { count: bucketLength(prompts * each), patches: merged * bucketLength(patches / merged), stage };
}

/** The row of the features at which each image begins, where all images have room for `tokens`. */
function startsOf(images: readonly ImageInput[], tokens: number): Map<string, number> {
  return new Map(images.map(({ id }, n) => [id, n * tokens]));
}

/** For each token of a prompt the row of the features that stands in its place, -1 for text. */
export function featureRows(
  prompt: ArrayLike<number>,
  slots: Int32Array,
  starts: ReadonlyMap<string, number>,
  mergeSize: number,
): Int32Array {
  const rows = imagesOf(prompt).flatMap((image) => {
    const start = starts.get(image.id)!;
    return Array.from({ length: imageTokens(image, mergeSize) }, (_, i) => start + i);
  });
  return slots.map((slot) => slot < 0 ? -1 : rows[slot]!);
}

/** Writes everything about images that a training graph reads; prompts are padded at their left. */
export function fillImages(
  inputs: Inputs,
  prompts: Rows,
  width: number,
  batch: BatchImages,
  config: ModelConfig,
): void {
  const vision = config.vision!, { shape: { patches }, images } = batch;
  const starts = startsOf(images, patches / vision.mergeSize ** 2);
  const data = <Numbers>(name: string) => inputs[name]!.data as Numbers;
  const slots = data<BigInt64Array>("image_slots"), isImage = data<Float32Array>("is_image");
  const tables = { cos: data<Float32Array>("prompt_cos"), sin: data<Float32Array>("prompt_sin") };
  const next = data<Float32Array>("prompt_next"), half = tables.cos.length / isImage.length;
  slots.fill(0n);
  isImage.fill(0);
  prompts.forEach((prompt, p) => {
    const places = promptPlaces(prompt, config), from = (p + 1) * width - prompt.length;
    featureRows(prompt, places.slots, starts, vision.mergeSize).forEach((row, t) => {
      if (row < 0) return;
      slots[from + t] = BigInt(row);
      isImage[from + t] = 1;
    });
    writePromptTables(tables, from * half, places.positions, config);
    next[p] = places.next;
  });
  fillPixels(inputs, batch, vision);
}

const NAMES = { patches: "image_patches", states: "image_states", features: "image_features" } as const;

function fillPixels(inputs: Inputs, { shape, images, rows }: BatchImages, vision: VisionConfig): void {
  const target = inputs[NAMES[shape.stage]]!.data as Float32Array;
  target.fill(0);
  rows.forEach((numbers, n) => target.set(numbers, n * target.length / shape.count));
  if (shape.stage === "patches") fillPatchPlaces(inputs, images, shape.patches, vision);
}

/** What the tower reads of images beside their patches, `patches` of each. */
export function fillPatchPlaces(
  inputs: Inputs,
  images: readonly ImageInput[],
  patches: number,
  vision: VisionConfig,
): void {
  const data = (name: string) => inputs[name]!.data as Float32Array;
  const tables = { cos: data("image_cos"), sin: data("image_sin") }, half = vision.embedDim / vision.heads / 2;
  const valid = data("image_valid").fill(0), windows = vision.window && data("image_windows").fill(0);
  images.forEach((image, n) => {
    writePatchTables(tables, n * patches * half, image.grid, vision);
    valid.fill(1, n * patches, n * patches + patchesOf(image));
    windows?.set(patchWindows(image.grid, vision), n * patches);
  });
}
