/** Writes a Hugging Face folder, complete or not at all. @module */
import { join } from "node:path";
import { ifThere } from "../file_system.ts";
import { writeChunks, writeFolderAtomic } from "./atomic_write.ts";
import { type TensorData, writeSafetensors } from "./safetensors_write.ts";

interface ModelFolder {
  readonly config: Readonly<Record<string, unknown>>;
  readonly generationConfig?: Readonly<Record<string, unknown>> | null;
  /** tokenizer.json, tokenizer_config.json, special_tokens_map.json, … : file name to text. */
  readonly tokenizerFiles: ReadonlyMap<string, string>;
  /** Names as in the checkpoint transformers knows, e.g. `model.layers.0.mlp.up_proj.weight`; tied ones once. */
  readonly tensors: ReadonlyMap<string, TensorData>;
  readonly dtype?: "F32" | "F16" | "BF16";
}

const TORCH_NAMES = { F32: "float32", F16: "float16", BF16: "bfloat16" } as const;

/** What a model folder may hold besides what is written now: an earlier export, or the model it began with. */
const OF_A_MODEL =
  /^(?:[\w.-]+\.safetensors|(?:[\w.-]*config|[\w.-]*tokenizer|[\w.-]+\.index|\w+_map|vocab|added_tokens)\.json|merges\.txt|chat_template\.jinja)$/;

/** A folder is replaced as a whole: one with anything else in it is not ours to remove. */
function checkReplaceable(folder: string): void {
  const entries = ifThere(() => [...Deno.readDirSync(folder)], []);
  const other = entries.find(({ name, isFile }) => !isFile || !OF_A_MODEL.test(name));
  if (other) {
    throw new RangeError(
      `Cannot export to ${folder}: it holds "${other.name}", which is no file of a model; give a new or an empty folder`,
    );
  }
}

/**
 * Replaces or makes `folder` with config.json, generation_config.json, the tokenizer's files and model.safetensors.
 * Throws a RangeError, and removes nothing, where the folder holds anything but files of a model.
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
  writeFiles(folder, files, { name: "model.safetensors", tensors: model.tensors, dtype });
}

/** Replaces or makes `folder` with texts and one file of tensors; it may hold nothing but files of a model. */
export function writeFiles(
  folder: string,
  texts: ReadonlyMap<string, string>,
  { name: stored, tensors, dtype = "F32" }: { readonly name: string } & Pick<ModelFolder, "tensors" | "dtype">,
): void {
  checkReplaceable(folder);
  writeFolderAtomic(folder, (temporary) => {
    const encoder = new TextEncoder();
    for (const [name, text] of texts) writeChunks(join(temporary, name), [encoder.encode(text)]);
    writeSafetensors(join(temporary, stored), tensors, { dtype });
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
