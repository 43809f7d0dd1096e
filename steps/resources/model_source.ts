/** Where a model comes from: a preset, an object as config.json has it, a Hugging Face folder, a run. @module */
import { isAbsolute, join, resolve } from "node:path";
import { byteText } from "../../data/byte_text.ts";
import { isFile, isFolder, isThere, listFolder } from "../../data/file_system.ts";
import { adapterBase, hubFolder } from "../../data/hub/remote/hub_folder.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import { byteLevelTokenizer } from "../../data/hub/byte_level_tokenizer.ts";
import { readGenerationConfig, readModelConfig } from "../../data/hub/config.ts";
import { openModelTensors } from "../../data/hub/model_tensors.ts";
import { merged, readAdapter } from "../../data/hub/peft_adapter.ts";
import { type HubTokenizer, loadTokenizer, makeTokenizer } from "../../data/hub/tokenizer.ts";
import type { NamedArray } from "../../gpu/weights/weights.ts";
import { PROCESSOR_FILE, readProcessor } from "./prompt_images.ts";
import { MODEL_PRESETS, type ModelPresetName } from "./model_presets.ts";
import { visionTokenIds, visualFiles } from "./visual_tokenizer.ts";

/** Said of a relative path that leads nowhere. */
const RELATIVE = "paths in a workflow are relative to its file, those of -p to where you stand";

/** As the end of what is said of a path: where a relative one begins. */
export const relativeTo = (text: string) => isAbsolute(text) ? "" : ` (${RELATIVE})`;

/** A run's folders, as far as models are looked for in them. */
interface Folders {
  readonly workflow: string;
  readonly run: string;
}

const NAMES = Object.keys(MODEL_PRESETS) as ModelPresetName[];

/** Where a model comes from: its configuration, tokenizer, and tensors unless it starts from random weights. */
export interface ModelSource {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tokenizer: HubTokenizer;
  readonly generation: Readonly<Record<string, unknown>> | null;
  readonly folder: string | null;
  /** The text of the file that says how images are cut (`readProcessor`); null where there is none. */
  readonly processor?: string | null;
  /** A PEFT adapter that is merged into the folder's weights. */
  readonly adapter?: string | null;
  /** Hears how far the weights are read, where that takes long. */
  readonly say?: (line: string) => void;
}

/** What `model` of load_model names. Throws a RangeError for what is none of these. */
export function modelSource(
  model: string | Readonly<Record<string, unknown>>,
  folders: Folders,
): ModelSource {
  if (typeof model !== "string") return freshSource(model);
  if (Object.hasOwn(MODEL_PRESETS, model)) return freshSource(MODEL_PRESETS[model as ModelPresetName]);
  const { folder, adapter } = weightFolders(model, folders);
  return { ...folderSource(folder), adapter };
}

/** The folder of a model's weights, and of the adapter on them where `model` names an adapter's. */
export function weightFolders(
  model: string,
  folders: Folders,
): { readonly folder: string; readonly adapter: string | null } {
  const named = namedFolder(model, folders.workflow);
  const base = isFile(join(named, "config.json")) ? null : adapterBase(named);
  if (base === null) return { folder: findFolder(model, folders), adapter: null };
  return { folder: namedFolder(base, folders.workflow), adapter: named };
}

/** A folder as a workflow names it: a path from where the workflow lies, or `hf:ORG/NAME` as it lies in the cache. */
export function namedFolder(text: string, workflow: string): string {
  return isAddress(text) ? hubFolder(text) : resolve(workflow, text);
}

/** What lies in a Hugging Face folder. */
export function folderSource(folder: string): ModelSource {
  return {
    config: readModelConfig(folder),
    tokenizer: loadTokenizer(folder),
    generation: readGenerationConfig(folder),
    folder,
    processor: readProcessor(folder),
  };
}

/** A model from nothing: our byte-level tokenizer, the visual one where pictures are read; random weights. */
export function freshSource(config: Readonly<Record<string, unknown>>): ModelSource {
  const positions = config["max_position_embeddings"], vision = config["vision_config"] ?? null;
  const limits = typeof positions === "number" ? { maxLength: positions } : {};
  const files = vision === null ? byteLevelTokenizer(limits) : visualFiles(vision, limits);
  const tokenizer = makeTokenizer(files, "the byte-level tokenizer");
  const ids = { vocab_size: tokenizer.vocabSize, eos_token_id: tokenizer.eosIds[0], pad_token_id: tokenizer.padId };
  const more = vision === null ? {} : visionTokenIds(tokenizer);
  return {
    config: { ...config, ...ids, ...more },
    tokenizer,
    generation: null,
    folder: null,
    processor: files.get(PROCESSOR_FILE) ?? null,
  };
}

/** What a run exports, by the name of its folder. */
type Exported = "model" | "critic" | "reward_model";

/** Where a text may lead: as given (relative to the workflow file), or what a run exported, the first of these names first. */
export function placesOf(
  text: string,
  { workflow, runs }: { readonly workflow: string; readonly runs: string | null },
  names: readonly Exported[],
): string[] {
  const given = isAbsolute(text) ? text : resolve(workflow, text);
  const isRun = runs !== null && !isAbsolute(text);
  const exported = names.flatMap((name) => [join(given, name), ...(isRun ? [join(runs, text, name)] : [])]);
  return [...new Set([given, ...exported])];
}

/** The folder of the runs, and that of the workflow. */
const around = ({ workflow, run }: Folders) => ({ workflow, runs: join(run, "..") });

/**
 * The folder of an adapter: as a path, a repository of the Hub as it lies in the cache, or what a run exported; of a run
 * without a critic or reward model the policy's.
 */
export function adapterFolder(adapter: string, folders: Folders, name: Exported = "model"): string {
  if (isAddress(adapter)) return hubFolder(adapter);
  const places = placesOf(adapter, around(folders), name === "model" ? [name] : [name, "model"]);
  const found = places.find((folder) => isFile(join(folder, "adapter_config.json")));
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot load adapter "${adapter}": there is no adapter_config.json in ${places.join(" or ")}${
      relativeTo(adapter)
    }; ` +
      `${
        whatLies(places[0]!)
      }; give a folder that PEFT, or export_model with merge: false, saved, hf:ORG/NAME, or a run that has such an export`,
  );
}

const LISTED = 5; // Names of a folder's content.

/** What is at a path where a folder was looked for. */
function whatLies(path: string): string {
  if (!isThere(path)) return `${path} is not there`;
  if (!isFolder(path)) return `${path} is no folder`;
  const names = listFolder(path).sort(), more = names.length > LISTED ? ", …" : "";
  return names.length === 0 ? `${path} is empty` : `${path} holds ${names.slice(0, LISTED).join(", ")}${more}`;
}

/** A folder with a config.json: as given, a repository of the Hub as it lies in the cache, or what a run exported. */
export function findFolder(model: string, folders: Folders, name: Exported = "model"): string {
  if (isAddress(model)) return hubFolder(model);
  const candidates = placesOf(model, around(folders), [name]);
  const found = candidates.find((folder) => isFile(join(folder, "config.json")));
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot load model "${model}": it is no preset (${NAMES.join(", ")}), and there is no config.json in ` +
      `${candidates.join(" or ")}${
        relativeTo(model)
      }; give a Hugging Face folder, hf:ORG/NAME, or a run that has export_model`,
  );
}

/**
 * The tensors of a folder by name, as float32, a PEFT adapter of another folder merged into them. Headers are read and
 * checked now, numbers when they are asked for.
 */
export function readTensors(
  folder: string,
  adapter: string | null = null,
  say: (line: string) => void = () => {},
): Map<string, NamedArray> {
  using file = openModelTensors(folder);
  const entries = [...file.tensors], heard = reading(folder, entries.map(([, { byteLength }]) => byteLength), say);
  const tensors = new Map(entries.map(([name, { shape, byteLength }]) => {
    const elements = shape.reduce((a, b) => a * b, 1);
    return [name, stored(file, name, shape, (count) => heard(byteLength * count / elements))];
  }));
  return adapter === null ? tensors : merged(tensors, readAdapter(adapter));
}

const LARGE = 2e8; // Bytes that are read in more than a moment.
const SILENCE_MS = 1500;

/** Says how much of a large folder is read: at first, and whenever nothing was said for a while. */
function reading(folder: string, sizes: readonly number[], say: (line: string) => void): (bytes: number) => void {
  const all = sizes.reduce((a, b) => a + b, 0);
  let done = 0, said = -Infinity;
  if (all < LARGE) return () => {};
  return (bytes) => {
    if (done === 0) say(`model: reading ${byteText(all)} from ${folder}`);
    else if (performance.now() - said > SILENCE_MS) say(`model: ${byteText(done)} of ${byteText(all)} read`);
    else return void (done += bytes);
    done += bytes;
    said = performance.now();
  };
}

/** A tensor that stays in its file until somebody wants its numbers. */
function stored(
  file: ReturnType<typeof openModelTensors>,
  name: string,
  shape: readonly number[],
  heard: (elements: number) => void,
): NamedArray {
  return Object.defineProperty(
    {
      shape,
      get data() {
        const values = file.float32(name);
        heard(values.length);
        return values;
      },
    },
    "read",
    {
      enumerable: false, // Two tensors are equal by their shapes and numbers.
      value(into: Float32Array, from: number) {
        heard(into.length);
        file.read(name, into, from);
      },
    },
  );
}
