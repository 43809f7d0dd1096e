/** Opens the goldens of models that read images (tests/peers/vision_goldens.py) as batches of ours. @module */
import { LanguageModel } from "../../../../gpu/language_model.ts";
import { type ModelConfig, modelConfig } from "../../../../gpu/models/config.ts";
import { type ImageInput, type PromptIds, promptIds } from "../../../../gpu/models/vision/image_input.ts";
import { patchWidth } from "../../../../gpu/models/vision_config.ts";
import { cpuRuntime, unmasked } from "../../golden_model.ts";
import { readJson, readModel, readSafetensors, type Stored } from "../../safetensors.ts";

export interface VisionGolden {
  // deno-lint-ignore no-explicit-any -- plain JSON whose shape each test knows
  readonly json: any;
  readonly tensors: ReadonlyMap<string, Stored>;
  readonly images: readonly ImageInput[];
  readonly prompts: readonly PromptIds[];
  /** Without padding. */
  readonly completions: readonly number[][];
}

export const VISION_CASES = {
  qwen2_vl: { model: "qwen2_vl", goldens: ["vision", "vision_more"] },
  qwen2_5_vl: { model: "qwen2_5_vl", goldens: ["vision_2_5"] },
} as const;

export type VisionCase = keyof typeof VISION_CASES;

/** The configuration of a case; the goldens' log-probs are of all tokens, those of images too. */
export function goldenConfig(name: VisionCase): ModelConfig {
  return { ...modelConfig(readJson(`models/${VISION_CASES[name].model}/config.json`)), silentTokens: [] };
}

export function visionGolden(name: VisionCase): VisionGolden {
  const { goldens } = VISION_CASES[name];
  const json = Object.assign({}, ...goldens.map((golden) => readJson(`goldens/torch/${golden}.json`)));
  const tensors = new Map(goldens.flatMap((golden) => [...readSafetensors(`goldens/torch/${golden}.safetensors`)]));
  const all = tensors.get("pixel_values")!.data;
  const width = patchWidth(goldenConfig(name).vision!);
  let from = 0;
  const images = (json.image_grid_thw as [number, number, number][]).map(([, h, w], i): ImageInput => {
    const patches = all.slice(from, from += h * w * width);
    return { id: `image ${i}`, grid: { h, w }, patches: () => Promise.resolve(patches) };
  });
  const prompts = unmasked(json.prompt_ids, json.prompt_mask).map((ids, row) =>
    promptIds(Int32Array.from(ids), (json.images_of_row[row] as number[]).map((i) => images[i]!))
  );
  return { json, tensors, images, prompts, completions: unmasked(json.completion_ids, json.completion_mask) };
}

/** Runs `body` with the loaded model; `silent` leaves its tokens of images as they are in a run. */
export async function withVision(
  name: VisionCase,
  body: (model: LanguageModel, golden: VisionGolden) => Promise<void>,
  { silent = false } = {},
): Promise<void> {
  const runtime = await cpuRuntime(), { model: folder } = VISION_CASES[name];
  const config = silent ? modelConfig(readJson(`models/${folder}/config.json`)) : goldenConfig(name);
  const model = LanguageModel.create(runtime, config);
  try {
    model.weights.fromHuggingFace(readModel(folder));
    await body(model, visionGolden(name));
  } finally {
    model.release();
    runtime.release();
  }
}

/** The largest difference of two lists of numbers. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError(`Cannot compare ${a.length} numbers with ${b.length}`);
  return Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
}
