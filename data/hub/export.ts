/** Writes a Hugging Face folder, complete or not at all. @module */
import { join } from "node:path";
import { ifThere, textIfThere } from "../file_system.ts";
import { writeChunks, writeFolderAtomic } from "./atomic_write.ts";
import { isOfModelFolder, MORE_TEMPLATES, templateName, weightsName } from "./model_files.ts";
import { CARD_MARK } from "./model_card.ts";
import { jsonWithFloats } from "./python_floats.ts";
import { type TensorData, writeSafetensors } from "./safetensors_write.ts";

interface ModelFolder {
  readonly config: Readonly<Record<string, unknown>>;
  readonly generationConfig?: Readonly<Record<string, unknown>> | null;
  /** tokenizer.json, tokenizer_config.json, special_tokens_map.json, … : file name to text. */
  readonly tokenizerFiles: ReadonlyMap<string, string>;
  /** Names as in the checkpoint transformers knows, e.g. `model.layers.0.mlp.up_proj.weight`; tied ones once. */
  readonly tensors: ReadonlyMap<string, TensorData>;
  readonly dtype?: "F32" | "F16" | "BF16";
  /** The text of README.md. */
  readonly card?: string | null;
  /** The config.json of the folder that the model came from: what is not said here is kept of it. */
  readonly source?: Readonly<Record<string, unknown>> | null;
  /** Keys of config.json and generation_config.json whose whole numbers are written with `.0`. */
  readonly floats?: ReadonlySet<string>;
  /** Bytes of weights from which on they are written in several files; default 5 GB, as transformers has it. */
  readonly shardBytes?: number;
}

const TORCH_NAMES = { F32: "float32", F16: "float16", BF16: "bfloat16" } as const;

const SHARD_BYTES = 5e9;
const BYTES = { F32: 4, F16: 2, BF16: 2 } as const;

/** Keys of a source's config.json that are not true of what is written. */
const NOT_KEPT =
  /^(?:_name_or_path|transformers_version|torch_dtype|dtype|quantization_config|auto_map|architectures|id2label|label2id|problem_type|num_labels|rope_\w+)$/;

/** A card that a person wrote, or changed the head of, is theirs. */
const isOurCard = (path: string) => textIfThere(path)?.includes(CARD_MARK) === true;

/** A folder is replaced as a whole: one with anything else in it is not ours to remove. */
function checkReplaceable(folder: string): void {
  const entries = ifThere(() => [...Deno.readDirSync(folder)], []);
  const isOwn = ({ name, isFile, isDirectory }: Deno.DirEntry) =>
    name === "README.md"
      ? isOurCard(join(folder, name))
      : isDirectory
      ? name === MORE_TEMPLATES
      : isFile && isOfModelFolder(name);
  const other = entries.find((entry) => !isOwn(entry));
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
  const kept = Object.entries(model.source ?? {}).filter(([name]) =>
    !NOT_KEPT.test(name) && !Object.hasOwn(model.config, name)
  );
  const config = { ...model.config, ...Object.fromEntries(kept), [key]: TORCH_NAMES[dtype] };
  const files = new Map([["config.json", jsonWithFloats(config, model.floats)]]);
  if ((model.card ?? null) !== null) files.set("README.md", model.card!);
  if (model.generationConfig) files.set("generation_config.json", jsonWithFloats(model.generationConfig, model.floats));
  for (const [name, text] of model.tokenizerFiles) {
    if ((!/^[\w.-]+$/.test(name) && templateName(name) === null) || files.has(name)) {
      throw new RangeError(`Cannot export file ${JSON.stringify(name)}: want the name of a tokenizer file`);
    }
    files.set(name, text);
  }
  const { tensors, shardBytes = SHARD_BYTES } = model;
  writeFiles(folder, files, { name: weightsName("model"), tensors, dtype, shardBytes });
}

/** Replaces or makes `folder` with texts and one file of tensors; it may hold nothing but files of a model. */
export function writeFiles(
  folder: string,
  texts: ReadonlyMap<string, string>,
  { name: stored, tensors, dtype = "F32", shardBytes = Infinity, metadata }:
    & { readonly name: string; readonly metadata?: Readonly<Record<string, string>> }
    & Pick<ModelFolder, "tensors" | "dtype" | "shardBytes">,
): void {
  checkReplaceable(folder);
  writeFolderAtomic(folder, (temporary) => {
    const encoder = new TextEncoder();
    for (const [name, text] of texts) {
      if (name.includes("/")) Deno.mkdirSync(join(temporary, MORE_TEMPLATES), { recursive: true });
      writeChunks(join(temporary, name), [encoder.encode(text)]);
    }
    const shards = splitBySize(tensors, BYTES[dtype], shardBytes);
    const options = { dtype, metadata: { format: "pt", ...metadata } };
    if (shards.length <= 1) return void writeSafetensors(join(temporary, stored), tensors, options);
    const map: Record<string, string> = {}, count = String(shards.length).padStart(5, "0");
    shards.forEach((names, index) => {
      const file = stored.replace(".safetensors", `-${String(index + 1).padStart(5, "0")}-of-${count}.safetensors`);
      names.forEach((name) => map[name] = file);
      writeSafetensors(join(temporary, file), new Map(names.map((name) => [name, tensors.get(name)!])), options);
    });
    const total_size = shards.flat().reduce((sum, name) => sum + sizeOf(tensors.get(name)!) * BYTES[dtype], 0);
    const index = jsonWithFloats({ metadata: { total_size }, weight_map: map });
    writeChunks(join(temporary, `${stored}.index.json`), [encoder.encode(index)]);
  });
}

const sizeOf = ({ shape }: TensorData) => shape.reduce((product, size) => product * size, 1);

/** Names of tensors in files of at most `most` bytes, in their order; a tensor that is larger stands alone. */
function splitBySize(tensors: ReadonlyMap<string, TensorData>, bytesEach: number, most: number): string[][] {
  const shards: string[][] = [[]];
  let bytes = 0;
  for (const [name, tensor] of tensors) {
    const own = sizeOf(tensor) * bytesEach;
    if (bytes > 0 && bytes + own > most) {
      shards.push([]);
      bytes = 0;
    }
    shards.at(-1)!.push(name);
    bytes += own;
  }
  return shards;
}
