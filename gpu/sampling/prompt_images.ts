/** What the prompt graph of a model with a tower reads of prompts beside their tokens: features, slots, rotary tables. @module */
import { rotaryDim } from "../models/config.ts";
import type { Model } from "../models/model.ts";
import type { Rows } from "../models/padding.ts";
import { featureRows } from "../models/vision/image_batch.ts";
import { imagesOf, NO_TOWER, uniqueImages } from "../models/vision/image_input.ts";
import { promptPlaces, writePromptTables } from "../models/vision/prompt_places.ts";
import type { Tensor } from "../ort/runtime.ts";
import type { Scope } from "./scope.ts";

interface PromptImages {
  /** Inputs of `rows` prompts from number `from` on, their tokens `before` to `before + tokens`, padded at the right. */
  inputs(rows: number, from: number, before: number, tokens: number): Record<string, Tensor>;
}

/** Null for a model of words alone. Throws a TypeError where such a one is given images, a RangeError for broken prompts. */
export async function promptImages(model: Model, prompts: Rows, scope: Scope): Promise<PromptImages | null> {
  const { config } = model, images = uniqueImages(prompts);
  if (!config.vision) {
    if (images.length > 0) throw new TypeError(NO_TOWER);
    return null;
  }
  if (images.length > 0 && !model.images) {
    throw new TypeError("Cannot read images: the model was made without its tower");
  }
  const starts = new Map<string, number>(), parts: Float32Array[] = [], d = config.hiddenSize;
  let count = 0;
  for (const image of images) {
    const features = await model.images!.rows(image, "features");
    starts.set(image.id, count);
    parts.push(features);
    count += features.length / d;
  }
  const all = new Float32Array(Math.max(count, 1) * d); // a row that none reads where there are no images
  parts.forEach((part, i) => all.set(part, starts.get(images[i]!.id)! * d));
  const features = scope.host("float32", [all.length / d, d], all);
  const places = prompts.map((prompt) => {
    const { slots, positions } = promptPlaces(prompt, config);
    const rows = imagesOf(prompt).length > 0 ? featureRows(prompt, slots, starts, config.vision!.mergeSize) : slots;
    return { rows, positions };
  });
  return {
    inputs(rows, from, before, tokens) {
      const half = rotaryDim(config) / 2, size = rows * tokens;
      const slots = new BigInt64Array(size), isImage = new Float32Array(size);
      const tables = { cos: new Float32Array(size * half), sin: new Float32Array(size * half) };
      for (const [r, { rows: own, positions }] of places.slice(from, from + rows).entries()) {
        const part = own.subarray(before, before + tokens), at = r * tokens;
        part.forEach((row, t) => {
          if (row < 0) return;
          slots[at + t] = BigInt(row);
          isImage[at + t] = 1;
        });
        writePromptTables(tables, at * half, positions.subarray(3 * before, 3 * (before + tokens)), config);
      }
      const turns = BigInt64Array.from({ length: size }, (_, i) => BigInt(i));
      return {
        image_features: features,
        image_slots: scope.host("int64", [rows, tokens], slots),
        is_image: scope.host("float32", [rows, tokens, 1], isImage),
        prompt_turns: scope.host("int64", [rows, tokens], turns),
        prompt_cos: scope.host("float32", [size, half], tables.cos),
        prompt_sin: scope.host("float32", [size, half], tables.sin),
      };
    },
  };
}
