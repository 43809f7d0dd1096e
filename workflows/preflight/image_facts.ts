/** What the images of a plan's prompts ask of its model: tokens, patches, and how far they are computed where something trains. @module */
import { orElse } from "../../data/file_system.ts";
import { sizeOfId } from "../../data/images/image_id.ts";
import type { ImageProcessor } from "../../data/images/processor_config.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import { gridOf } from "../../data/images/smart_resize.ts";
import type { ImageLoad } from "../../gpu/models/vision/image_batch.ts";
import { stageOf } from "../../gpu/models/vision/image_stage.ts";
import { encodingBytes } from "../../gpu/models/vision/encoder_graph.ts";
import { keptBytes } from "../../gpu/models/vision/kept_rows.ts";
import { imageTokens } from "../../gpu/models/vision/image_input.ts";
import { patchWidth } from "../../gpu/models/vision_config.ts";
import { matchParameters } from "../../gpu/weights/layout.ts";
import { KEPT_PATCHES, processorOf } from "../../steps/resources/prompt_images.ts";
import type { Facts } from "./facts.ts";
import { trainedLayout } from "./lora_rules.ts";
import type { ModelFacts } from "./model_facts.ts";

interface ImageFacts {
  readonly load: ImageLoad;
  /** Most tokens of a prompt's images, beyond the one that a chat template writes for each. */
  readonly tokens: number;
  /** Patches of every image, each counted once. */
  readonly patches: readonly number[];
}

/** Null where the model reads no images, or no prompt has any, as far as that is known. */
export function imageFacts({ model, prompts }: Pick<Facts, "model" | "prompts">): ImageFacts | null {
  const config = model?.config ?? null, vision = config?.vision ?? null;
  if (model === null || config === null || vision === null || prompts === null) return null;
  const processor = processorFor(model);
  if (processor === null) return null;
  const grids = new Map<string, { readonly h: number; readonly w: number }>();
  const grid = (id: string) => {
    const known = grids.get(id) ?? gridOf(sizeOfId(id), processor);
    grids.set(id, known);
    return known;
  };
  let each = 0, tokens = 0;
  for (const { prompt } of prompts.rows) {
    const own = imagesIn(prompt).map((id) => imageTokens({ grid: grid(id) }, vision.mergeSize) - 1);
    each = Math.max(each, own.length);
    tokens = Math.max(tokens, own.reduce((sum, count) => sum + count, 0));
  }
  if (each === 0) return null;
  const patches = [...grids.values()].map(({ h, w }) => h * w);
  return {
    load: { each, patches: patches.reduce((most, count) => Math.max(most, count), 0), stage: stageFor(model) },
    tokens,
    patches,
  };
}

/**
 * Bytes for the images of prompts besides what a pass computes of them: the largest of them in the tower, and what of all
 * of them is kept: patches, states and features, within bounds.
 */
export function imageBytes(facts: Pick<Facts, "model" | "prompts">, budget: number | null): number {
  const images = imageFacts(facts), config = facts.model?.config ?? null, vision = config?.vision ?? null;
  if (images === null || config === null || vision === null) return 0;
  const all = 4 * images.patches.reduce((sum, count) => sum + count, 0), { mergeSize, embedDim } = vision;
  const kept = (width: number, most?: number) => Math.min(all * width, keptBytes(budget, most));
  // A reference has a tower of its own, and cuts no image.
  const encoders = facts.model!.loaded.params.reference === "none" ? 1 : 2;
  return kept(patchWidth(vision), KEPT_PATCHES) +
    encoders * (kept(embedDim) + kept(config.hiddenSize / mergeSize ** 2)) + encodingBytes(config, images.load.patches);
}

function processorFor({ config, processor, loaded: { params } }: ModelFacts): ImageProcessor | null {
  return orElse(() => processorOf(config!, processor, params), null);
}

function stageFor(model: ModelFacts): ImageLoad["stage"] {
  const layout = trainedLayout(model);
  return layout === null
    ? "patches"
    : stageOf(orElse(() => matchParameters(layout, model.loaded.params.trainable), []));
}
