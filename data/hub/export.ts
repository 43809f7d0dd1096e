/**
 * Writes a Hugging Face folder, complete or not at all.
 * @module
 */
import { join } from "node:path";
import { writeFolderAtomic, writeSynced } from "./atomic_write.ts";
import { type TensorData, writeSafetensorsInto } from "./safetensors_write.ts";

export interface ModelFolder {
  readonly config: Readonly<Record<string, unknown>>;
  readonly generationConfig?: Readonly<Record<string, unknown>> | null;
  /** tokenizer.json, tokenizer_config.json, special_tokens_map.json, … : file name to text. */
  readonly tokenizerFiles: ReadonlyMap<string, string>;
  /** Names as in the checkpoint transformers knows, e.g. `model.layers.0.mlp.up_proj.weight`; tied ones once. */
  readonly tensors: ReadonlyMap<string, TensorData>;
  readonly dtype?: "F32" | "F16" | "BF16";
}

const TORCH_NAMES = { F32: "float32", F16: "float16", BF16: "bfloat16" } as const;

/**
 * Replaces or makes `folder` with config.json, generation_config.json, the tokenizer's files and model.safetensors.
 * The element type is written into config.json under the key it already has (`dtype`, else `torch_dtype`).
 */
export function writeModelFolder(folder: string, model: ModelFolder): void {
  const dtype = model.dtype ?? "F32";
  const key = Object.hasOwn(model.config, "dtype") ? "dtype" : "torch_dtype";
  const files = new Map([["config.json", json({ ...model.config, [key]: TORCH_NAMES[dtype] })]]);
  if (model.generationConfig) files.set("generation_config.json", json(model.generationConfig));
  for (const [name, text] of model.tokenizerFiles) {
    if (!/^[\w.-]+$/.test(name) || files.has(name)) {
      throw new RangeError(`Cannot export file ${JSON.stringify(name)}: want the name of a tokenizer file`);
    }
    files.set(name, text);
  }
  writeFolderAtomic(folder, (temporary) => {
    const encoder = new TextEncoder();
    for (const [name, text] of files) writeSynced(join(temporary, name), [encoder.encode(text)]);
    writeSafetensorsInto(join(temporary, "model.safetensors"), model.tensors, { dtype });
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
