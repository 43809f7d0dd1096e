/** The images of prompts as a policy reads them: from the run's store, by the model's image processor. @module */
import { join } from "node:path";
import { readFolderText } from "../../data/hub/model_folder.ts";
import { parseJsonObject } from "../../data/strict_json.ts";
import { decodeImage } from "../../data/images/decode.ts";
import { imageId, sizeOfId } from "../../data/images/image_id.ts";
import type { ImageStore } from "../../data/images/image_store.ts";
import { imagePatches } from "../../data/images/patches.ts";
import { type ImageProcessor, processorConfig } from "../../data/images/processor_config.ts";
import { gridOf } from "../../data/images/smart_resize.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import { type ImageInput, imageTokens } from "../../gpu/models/vision/image_input.ts";
import { KeptRows } from "../../gpu/models/vision/kept_rows.ts";

/** The file of a model folder that says how images are cut. */
export const PROCESSOR_FILE = "preprocessor_config.json";

/** Where transformers 5 saves the same, beside settings of videos, under this key. */
const WHOLE_FILE = "processor_config.json", WHOLE_KEY = "image_processor";

/**
 * The text of the file of a folder that says how images are cut, null where there is none: of both the one that
 * transformers takes (image_processing_base.py `get_image_processor_dict`), processor_config.json if it speaks of images.
 */
export function readProcessor(folder: string): string | null {
  const whole = readFolderText(folder, WHOLE_FILE);
  if (whole !== null && Object.hasOwn(parseJsonObject(whole, join(folder, WHOLE_FILE)), WHOLE_KEY)) return whole;
  return readFolderText(folder, PROCESSOR_FILE);
}

/** Patches that are kept as they were cut: those of an image are some hundred kilobytes, and cut in a millisecond. */
export const KEPT_PATCHES = 1 << 26;

/** Bounds of an image in place of the folder's, pixels. */
export interface PixelBounds {
  readonly min_pixels?: number | undefined;
  readonly max_pixels?: number | undefined;
}

/** What is wrong with bounds that are both given; null where nothing. */
export function boundsProblem(min_pixels: number | undefined, max_pixels: number | undefined): string | null {
  if (min_pixels === undefined || max_pixels === undefined || min_pixels <= max_pixels) return null;
  return `min_pixels is ${min_pixels} and max_pixels ${max_pixels}, want min_pixels not above max_pixels; swap them`;
}

/**
 * How a model's images are cut: by the text that `readProcessor` gives, which must fit its tower; null for a model of
 * words alone. Throws a RangeError for a model with a tower and no such file, for pixels of one without, and for bounds that leave none.
 */
export function processorOf(
  { vision }: Pick<ModelConfig, "vision">,
  text: string | null,
  { min_pixels, max_pixels }: PixelBounds = {},
): ImageProcessor | null {
  if (vision === null) {
    if (min_pixels === undefined && max_pixels === undefined) return null;
    throw new RangeError(
      "Cannot bound the pixels of images: the model reads words alone; leave out min_pixels and max_pixels",
    );
  }
  if (text === null) {
    throw new RangeError(
      `Cannot read images: the model has a vision tower and its folder neither ${PROCESSOR_FILE} nor ${WHOLE_FILE} with "${WHOLE_KEY}"; ` +
        "download the folder again",
    );
  }
  const json = parseJsonObject(text, PROCESSOR_FILE), isWhole = Object.hasOwn(json, WHOLE_KEY);
  const file = isWhole ? WHOLE_FILE : PROCESSOR_FILE, given = isWhole ? json[WHOLE_KEY] : json;
  const { size, min_pixels: least, max_pixels: most, ...rest } = objectOf(given, file);
  const read = (min: unknown, max: unknown) =>
    processorConfig({ ...rest, ...(size === undefined ? {} : { size }), min_pixels: min, max_pixels: max }, file);
  if (min_pixels !== undefined || max_pixels !== undefined) {
    refuseBounds(() => read(least, most), min_pixels, max_pixels);
  }
  const processor = read(min_pixels ?? least, max_pixels ?? most);
  const pairs = [
    ["patch_size", processor.patchSize, vision.patchSize],
    ["merge_size", processor.mergeSize, vision.mergeSize],
    ["temporal_patch_size", processor.temporalPatchSize, vision.temporalPatchSize],
  ] as const;
  const other = pairs.find(([, cut, towers]) => cut !== towers);
  if (!other) return processor;
  throw new RangeError(
    `Cannot read images: ${other[0]} of ${file} is ${other[1]} and the tower's is ${other[2]}, want the same`,
  );
}

function objectOf(given: unknown, file: string): Record<string, unknown> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw new RangeError(`Cannot read ${file}: ${WHOLE_KEY} is ${JSON.stringify(given)}, want an object`);
}

/** A bound of the step's beyond the folder's other one is the step's mistake, not the file's. */
function refuseBounds(folders: () => ImageProcessor, min: number | undefined, max: number | undefined): void {
  const fail = (problem: string): never => {
    throw new RangeError(`Cannot bound the pixels of images: ${problem}`);
  };
  const both = boundsProblem(min, max);
  if (both !== null) return fail(both);
  if (min !== undefined && max !== undefined) return;
  const { minPixels, maxPixels } = folders();
  if (min !== undefined && min > maxPixels) {
    fail(`min_pixels is ${min} and the model's folder has max_pixels ${maxPixels}, want less, or max_pixels as well`);
  }
  if (max !== undefined && max < minPixels) {
    fail(`max_pixels is ${max} and the model's folder has min_pixels ${minPixels}, want more, or min_pixels as well`);
  }
}

export class PromptImages {
  readonly #patches: KeptRows;
  /** Files that were given beside the store's, by their ids. */
  readonly #given = new Map<string, Uint8Array>();

  constructor(readonly store: ImageStore, readonly processor: ImageProcessor, readonly mostBytes = KEPT_PATCHES) {
    this.#patches = new KeptRows(mostBytes);
  }

  /** The images that stand in a prompt's text. */
  inputsOf(prompt: string): ImageInput[] {
    return imagesIn(prompt).map((id) => this.#input(id));
  }

  /** The id of a file that no run has stored; it is held until the policy goes. Throws RangeError as `decodeImage` does. */
  async give(bytes: Uint8Array, source: string): Promise<string> {
    const id = imageId(bytes, await decodeImage(bytes, source));
    this.#given.set(id, bytes);
    return id;
  }

  #input(id: string): ImageInput {
    const { h, w } = gridOf(sizeOfId(id), this.processor);
    return { id, grid: { h, w }, patches: () => this.#patches.get(id, () => this.#cut(id)) };
  }

  async #cut(id: string): Promise<Float32Array> {
    const image = await decodeImage(this.#given.get(id) ?? this.store.bytes(id), id), said = sizeOfId(id);
    if (image.width !== said.width || image.height !== said.height) {
      throw new RangeError(
        `Cannot read image ${id}: it has ${image.width} by ${image.height} pixels, want those of its name; ` +
          "load the prompts in a new run, which names images by their sizes",
      );
    }
    return imagePatches(image, this.processor).patches;
  }

  /**
   * The ids of a prompt in which each image has one placeholder, with one per token of the image. Throws a RangeError where
   * there are not as many placeholders as images.
   */
  expand(ids: ArrayLike<number>, images: readonly ImageInput[], { imageToken, vision }: ModelConfig): Int32Array {
    const found = Array.prototype.filter.call(ids, (id) => id === imageToken).length;
    if (found !== images.length) {
      throw new RangeError(
        `it has ${images.length} image${images.length === 1 ? "" : "s"} and ${found} marker${
          found === 1 ? "" : "s"
        } of ` +
          "images, want as many; look at the chat template, which writes one for each image, and at texts that hold markers",
      );
    }
    let image = 0;
    const tokens = Array.from(ids).flatMap((id) =>
      id === imageToken ? Array<number>(imageTokens(images[image++]!, vision!.mergeSize)).fill(id) : [id]
    );
    return Int32Array.from(tokens);
  }
}
