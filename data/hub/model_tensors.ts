/** The tensors of a model folder: one model.safetensors, or shards with an index. @module */
import { didYouMean } from "../did_you_mean.ts";
import { indexName, shardNames, type Stem, weightMap, weightsName } from "./model_files.ts";
import { folderFile } from "./model_folder.ts";
import type { TensorEntry } from "./safetensors_header.ts";
import { openSafetensors, type SafetensorsFile } from "./safetensors_read.ts";
import { publishedName } from "./visual_names.ts";

interface ModelTensors {
  /** By the names of published files, whichever of its two the folder has (visual_names.ts). */
  readonly tensors: ReadonlyMap<string, TensorEntry>;
  /** What the headers hold besides. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Values as float32, row-major, a fresh array; throws a RangeError where one of them is NaN or infinite. */
  float32(name: string): Float32Array;
  /** The same into an array that is there: as many elements as it has room for, from element `from` on. */
  read(name: string, into: Float32Array, from?: number): void;
  /** Gives up the open files; what is read later opens them again, and refuses one that has changed. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Opens a folder's tensors; `stem` is `model` or `adapter_model`. Throws when a shard or a tensor of the index lacks. */
export function openModelTensors(folder: string, stem: Stem = "model"): ModelTensors {
  const single = folderFile(folder, weightsName(stem));
  if (single) return join(folder, [openSafetensors(single)]);
  const weights = weightMap(folder, stem);
  if (weights === null) {
    throw new RangeError(
      `Cannot load tensors from ${folder}: it has neither ${weightsName(stem)} nor ${indexName(stem)}`,
    );
  }
  const files: SafetensorsFile[] = [];
  try {
    for (const shard of shardNames(weights)) {
      const path = folderFile(folder, shard);
      if (!path) throw new RangeError(`Cannot load tensors from ${folder}: its index names ${shard}, which is missing`);
      const file = openSafetensors(path);
      files.push(file);
      for (const [name, owner] of Object.entries(weights)) {
        if (owner !== shard || file.tensors.has(name)) continue;
        throw new SyntaxError(
          `Cannot load tensors from ${folder}: the index puts "${name}" into ${shard}, which lacks it`,
        );
      }
    }
    return join(folder, files);
  } catch (error) {
    files.forEach((file) => file.close());
    throw error;
  }
}

function join(folder: string, files: readonly SafetensorsFile[]): ModelTensors {
  const owners = new Map<string, { readonly file: SafetensorsFile; readonly stored: string }>();
  const tensors = new Map<string, TensorEntry>();
  const close = () => files.forEach((file) => file.close());
  for (const file of files) {
    for (const [stored, entry] of file.tensors) {
      const name = publishedName(stored), other = owners.get(name);
      if (other !== undefined) {
        const twice = other.stored === stored
          ? "stands in two shards"
          : `is there as "${other.stored}" too, want one of them`;
        throw new SyntaxError(`Cannot load tensors from ${folder}: "${stored}" ${twice}`);
      }
      owners.set(name, { file, stored });
      tensors.set(name, entry);
    }
  }
  const read = (name: string, into: Float32Array, from = 0) => {
    const owner = owners.get(name);
    if (!owner) {
      throw new RangeError(
        `Cannot read tensor "${name}" of ${folder}: it is not there${didYouMean(name, [...owners.keys()], 8)}`,
      );
    }
    owner.file.read(owner.stored, into, from);
    refuseNotFinite(into, from, name, tensors.get(name)!, folder);
  };
  return {
    tensors,
    metadata: Object.assign({}, ...files.map(({ metadata }) => metadata)),
    read,
    float32(name) {
      const out = new Float32Array(tensors.get(name)?.shape.reduce((a, b) => a * b, 1) ?? 0);
      read(name, out);
      return out;
    },
    close,
    [Symbol.dispose]: close,
  };
}

const INFINITE = 0x7f800000; // The exponent of what is no finite number, float32.

/** A single NaN or infinity spoils every output of a model. `values` begin at element `from` of the tensor. */
function refuseNotFinite(
  values: Float32Array,
  from: number,
  name: string,
  { dtype, shape }: TensorEntry,
  folder: string,
): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  let found = 0; // Its highest bit is set by the first exponent of ones only: the addition carries into it.
  for (let i = 0; i < words.length; i++) found |= (words[i]! & INFINITE) + 0x800000;
  if (found >= 0) return;
  const at = values.findIndex((value) => !Number.isFinite(value));
  let rest = from + at;
  const place = shape.toReversed().map((size) => {
    const index = rest % size;
    rest = Math.floor(rest / size);
    return index;
  }).toReversed();
  throw new RangeError(
    `Cannot load tensors from ${folder}: "${name}" (${dtype}) is ${values[at]} as float32 at [${place}], want finite ` +
      "numbers; take a checkpoint from before it broke, or download the folder again",
  );
}
