/** Low-rank adapters as PEFT saves them: read from a folder, written to one, merged into the tensors of their base. @module */
import { didYouMean } from "../did_you_mean.ts";
import { fullMatcher, patternProblem } from "../python_pattern.ts";
import { writeFiles } from "./export.ts";
import { jsonWithFloats } from "./python_floats.ts";
import { folderFile, readFolderObject } from "./model_folder.ts";
import { openModelTensors } from "./model_tensors.ts";
import { publishedName } from "./visual_names.ts";
import { beneath, lowRankNames, peftTensor, wholeName } from "./peft_names.ts";
import {
  type AdapterSettings,
  type AdapterTask,
  CONFIG,
  readPeftConfig,
  scalingOf,
  settingsApart,
  toPeftConfig,
} from "./peft_config.ts";

/** A tensor by itself, row-major. */
interface Matrix {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** What is added to a weight W [out, in]: scaling · B A. */
interface LowRank {
  /** [r, in]. */
  readonly a: Matrix;
  /** [out, r]. */
  readonly b: Matrix;
}

/** The numbers of an adapter, by the names of its base model's weights. */
interface AdapterTensors {
  readonly pairs: ReadonlyMap<string, LowRank>;
  /** What takes the place of a weight (modules_to_save). */
  readonly saved: ReadonlyMap<string, Matrix>;
}

export interface PeftAdapter extends AdapterSettings, AdapterTensors {}

/** Throws RangeError or SyntaxError for what is no plain LoRA adapter. */
export function readAdapter(folder: string): PeftAdapter {
  const { whole, rankPattern, alphaPattern, ...settings } = readPeftConfig(folder);
  if (folderFile(folder, "adapter_model.bin") && !folderFile(folder, "adapter_model.safetensors")) {
    throw new RangeError(
      `Cannot load an adapter from ${folder}: its weights are adapter_model.bin, a pickle, which is a program; want ` +
        "adapter_model.safetensors: load it by PEFT where you trust it, and save_pretrained() it again",
    );
  }
  const { modules, ...tensors } = readTensors(folder, whole);
  requireTargets(folder, modules);
  const apart = new Map(
    [...settingsApart(modules, settings, rankPattern, alphaPattern)].map(([name, own]) => [publishedName(name), own]),
  );
  for (const [name, { a, b }] of tensors.pairs) {
    const { rank } = apart.get(name) ?? settings, [own, other] = [a.shape[0], b.shape[1]];
    const wrong = own !== rank ? "A" : other !== rank ? "B" : null;
    if (wrong === null) continue;
    throw new RangeError(
      `Cannot load an adapter from ${folder}: lora_${wrong} of "${name}" has rank ${
        wrong === "A" ? own : other
      }, want ${rank} as its ${CONFIG} says`,
    );
  }
  return { ...settings, ...(apart.size > 0 ? { apart } : {}), ...tensors };
}

/** PEFT makes its modules by the configuration, and passes over tensors of others without a word. */
function requireTargets(folder: string, modules: readonly string[]): void {
  const { target_modules, exclude_modules } = readFolderObject(folder, CONFIG)!;
  for (const module of modules) {
    const isTarget = names(target_modules, module), isExcluded = names(exclude_modules, module);
    if (isTarget !== false && isExcluded !== true) continue;
    const [key, pattern] = isTarget === false
      ? ["target_modules", target_modules]
      : ["exclude_modules", exclude_modules];
    throw new RangeError(
      `Cannot load an adapter from ${folder}: it has tensors of "${module}", which ${key} of its ${CONFIG} ${
        isTarget === false ? "does not name" : "names"
      } (${JSON.stringify(pattern).slice(0, 100)}); PEFT would leave them out`,
    );
  }
}

/** Whether a list, or a regular expression, names a module as PEFT matches it; null where nothing is said. */
function names(pattern: unknown, module: string): boolean | null {
  if (Array.isArray(pattern)) {
    return pattern.length === 0 ? null : pattern.some((name) => module === name || module.endsWith(`.${name}`));
  }
  if (typeof pattern !== "string" || pattern === "" || /^all[-_]linear$/i.test(pattern)) return null;
  return patternProblem(pattern) === null ? fullMatcher(pattern)(module) : null;
}

/** What PEFT saves of a model whose vocabulary grew, without a word in its configuration. */
const EMBEDDINGS = ["embed_tokens", "lm_head"];
const EMBEDDING = "model.embed_tokens.weight", HEAD = "lm_head.weight";

function readTensors(
  folder: string,
  whole: readonly string[],
): AdapterTensors & {
  /** Those that it changes, by the names that they have here. */ readonly modules: readonly string[];
} {
  using file = openModelTensors(folder, "adapter_model");
  const halves = new Map<string, { a?: Matrix; b?: Matrix }>(), saved = new Map<string, Matrix>();
  const modules = new Set<string>();
  const isWhole = (module: string) => [...whole, ...EMBEDDINGS].some((end) => `.${module}`.endsWith(`.${end}`));
  for (const [name, { shape }] of file.tensors) {
    if (beneath(name) !== null) continue; // The model's own, which otherBase() compares.
    const { parameter, module, half } = peftTensor(name) ?? {};
    if (parameter !== undefined && half === null && isWhole(module!)) {
      saved.set(parameter, { shape, data: file.float32(name) });
      continue;
    }
    if (/\.lora_embedding_[AB]$/.test(name)) {
      throw new RangeError(
        `Cannot load an adapter from ${folder}: "${name}" adapts an embedding, want linear layers alone; merge it by PEFT, ` +
          "or train embed_tokens whole by modules_to_save",
      );
    }
    if (parameter === undefined || half === null || shape.length !== 2) {
      throw new RangeError(
        `Cannot load an adapter from ${folder}: "${name}" [${shape}] is no lora_A or lora_B of a matrix`,
      );
    }
    const pair = halves.get(parameter) ?? {}, side = half === "A" ? "a" : "b";
    if (pair[side]) {
      throw new RangeError(
        `Cannot load an adapter from ${folder}: it has two lora_${half} of "${parameter}", want one`,
      );
    }
    pair[side] = { shape, data: file.float32(name) };
    halves.set(parameter, pair);
    modules.add(module!);
  }
  if (halves.size === 0) throw new RangeError(`Cannot load an adapter from ${folder}: it changes no weight`);
  const pairs = new Map([...halves].map(([weight, { a, b }]) => {
    if (!a || !b) {
      throw new RangeError(`Cannot load an adapter from ${folder}: "${weight}" has only one of lora_A and lora_B`);
    }
    return [weight, { a, b }];
  }));
  dropTwin(saved);
  return { pairs, saved, modules: [...modules] };
}

/** Of an embedding that is the head too PEFT saves both: a head that is the same numbers is none of its own. */
function dropTwin(saved: Map<string, Matrix>): void {
  const own = saved.get(HEAD), other = saved.get(EMBEDDING);
  if (!own || !other || `${own.shape}` !== `${other.shape}`) return;
  if (own.data.every((x, i) => x === other.data[i])) saved.delete(HEAD);
}

/** What is written besides an adapter's numbers. */
interface Written {
  /** Where the model lies that the adapter is upon; null where nobody knows. */
  readonly base: string | null;
  /** The commit of a model of the Hub; absent or null: the newest. */
  readonly revision?: string | null;
  /** Kept in the header of the weights, which PEFT does not read. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Of the tokenizer: file name to text. */
  readonly files: ReadonlyMap<string, string>;
  /** What PEFT makes of it: a language model, or one that classifies sequences. */
  readonly task?: AdapterTask;
  readonly dtype?: "F32" | "F16" | "BF16";
  /** Upon a model that reads images: its tensors are called as transformers from 4.52 on calls the modules. */
  readonly visual?: boolean;
}

/**
 * Replaces or makes `folder` with adapter_config.json and adapter_model.safetensors, which PEFT loads upon the model at
 * `base`, and with the tokenizer's files. Throws a RangeError where the folder holds anything but files of a model.
 */
export function writeAdapterFolder(
  folder: string,
  adapter: PeftAdapter,
  { base, revision = null, files, task = "CAUSAL_LM", dtype = "F32", metadata = {}, visual = false }: Written,
): void {
  const tensors = new Map<string, Matrix>();
  for (const [name, { a, b }] of adapter.pairs) {
    const names = lowRankNames(name, visual);
    tensors.set(names.a, a).set(names.b, b);
  }
  for (const [name, tensor] of adapter.saved) tensors.set(wholeName(name, visual), tensor);
  const both = adapter.tied ? adapter.saved.get(EMBEDDING) : undefined;
  if (both) tensors.set(wholeName(HEAD, visual), both); // PEFT reads both names of the one matrix.
  const config = toPeftConfig({
    ...adapter,
    weights: adapter.pairs.keys(),
    whole: adapter.saved.keys(),
    base,
    revision,
    task,
    visual,
  });
  const texts = new Map([[CONFIG, jsonWithFloats(config, new Set(["lora_dropout"]))], ...files]);
  writeFiles(folder, texts, { name: "adapter_model.safetensors", tensors, dtype, metadata });
}

/**
 * The tensors with W + scaling · B A in place of every W that the adapter changes (PEFT `merge_and_unload`); sums in
 * float64, computed when `data` is asked for: matrix by matrix, never all of them. Throws RangeError for a weight that the
 * base model does not have in that shape, and when one is asked for that becomes NaN or infinite.
 */
export function merged(
  tensors: ReadonlyMap<string, Matrix>,
  adapter: Omit<PeftAdapter, "dropout">,
): Map<string, Matrix> {
  const result = new Map(tensors);
  for (const [name, { shape, data }] of adapter.saved) {
    const base = tensors.get(name);
    if (!base || `${base.shape}` !== `${shape}`) {
      throw new RangeError(
        `Cannot merge an adapter: it has "${name}" [${shape}], which the model has ${
          base ? `as [${base.shape}]` : "not"
        }`,
      );
    }
    result.set(name, { shape, data: data.slice() });
  }
  for (const [name, { a, b }] of adapter.pairs) {
    const base = tensors.get(name), [rank, inner] = a.shape as [number, number], [outer] = b.shape as [number];
    if (!base) {
      throw new RangeError(
        `Cannot merge an adapter: the model has no "${name}"${didYouMean(name, [...tensors.keys()])}`,
      );
    }
    if (b.shape[1] !== rank || `${base.shape}` !== `${[outer, inner]}`) {
      throw new RangeError(
        `Cannot merge an adapter: "${name}" is [${base.shape}], lora_B [${b.shape}] times lora_A [${a.shape}] is not`,
      );
    }
    const scaling = scalingOf(adapter, name);
    result.set(name, {
      shape: base.shape,
      get data() {
        return finite(name, sumOf(base.data, a.data, b.data, { rank, inner, outer, scaling }));
      },
    });
  }
  return result;
}

function finite(name: string, data: Float32Array): Float32Array {
  const broken = data.findIndex((value) => !Number.isFinite(value));
  if (broken < 0) return data;
  throw new RangeError(
    `Cannot merge an adapter: "${name}" becomes ${data[broken]} at element ${broken}, want finite numbers`,
  );
}

/** W + scaling · B A, row by row; every element's sum is over k in order, in float64. */
function sumOf(
  w: Float32Array,
  a: Float32Array,
  b: Float32Array,
  { rank, inner, outer, scaling }: Readonly<Record<"rank" | "inner" | "outer" | "scaling", number>>,
): Float32Array<ArrayBuffer> {
  const data = new Float32Array(w.length), sums = new Float64Array(inner);
  for (let row = 0; row < outer; row++) {
    sums.fill(0);
    for (let k = 0; k < rank; k++) {
      const left = b[row * rank + k]!, from = k * inner;
      for (let column = 0; column < inner; column++) sums[column]! += left * a[from + column]!;
    }
    const at = row * inner;
    for (let column = 0; column < inner; column++) data[at + column] = w[at + column]! + scaling * sums[column]!;
  }
  return data;
}
