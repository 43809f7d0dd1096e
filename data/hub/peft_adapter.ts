/** Low-rank adapters as PEFT saves them: read from a folder, written to one, merged into the tensors of their base. @module */
import { didYouMean } from "../did_you_mean.ts";
import { writeFiles } from "./export.ts";
import { readFolderObject } from "./model_folder.ts";
import { openModelTensors } from "./model_tensors.ts";

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

/** Settings of an adapter, as PEFT names them but for its `r` and `use_` and `lora_`. */
interface AdapterSettings {
  readonly rank: number;
  readonly alpha: number;
  readonly dropout: number;
  /** Scaling by alpha / √rank instead of alpha / rank. */
  readonly rslora: boolean;
}

/** The numbers of an adapter, by the names of its base model's weights. */
interface AdapterTensors {
  readonly pairs: ReadonlyMap<string, LowRank>;
  /** What takes the place of a weight (modules_to_save). */
  readonly saved: ReadonlyMap<string, Matrix>;
}

export interface PeftAdapter extends AdapterSettings, AdapterTensors {}

const CONFIG = "adapter_config.json";

/** The factor of B A. */
export function scalingOf({ rank, alpha, rslora }: Omit<AdapterSettings, "dropout">): number {
  return alpha / (rslora ? Math.sqrt(rank) : rank);
}

/** Settings that change what the adapter computes, each with the values that change nothing. */
const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  peft_type: ["LORA"],
  bias: ["none", undefined],
  lora_bias: [false, null, undefined],
  use_dora: [false, null, undefined],
  use_qalora: [false, null, undefined],
  use_bdlora: [false, null, undefined],
  fan_in_fan_out: [false, undefined],
};
/** Settings that must be empty. */
const EMPTY = [
  "layer_replication",
  "rank_pattern",
  "alpha_pattern",
  "target_parameters",
  "trainable_token_indices",
  "alora_invocation_tokens",
  "arrow_config",
  "velora_config",
  "kasa_config",
  "monteclora_config",
];

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);

/** Throws RangeError or SyntaxError for what is no plain LoRA adapter. */
export function readAdapter(folder: string): PeftAdapter {
  const config = readFolderObject(folder, CONFIG);
  if (!config) {
    throw new RangeError(`Cannot load an adapter from ${folder}: it has no ${CONFIG}; want a folder that PEFT saved`);
  }
  const refuse = (key: string, want: string) => {
    throw new RangeError(
      `Cannot load an adapter from ${folder}: its ${key} is ${JSON.stringify(config[key])}, want ${want}`,
    );
  };
  for (const [key, plain] of Object.entries(PLAIN)) {
    if (!plain.includes(config[key])) refuse(key, JSON.stringify(plain[0]));
  }
  for (const key of EMPTY) if (!isEmpty(config[key])) refuse(key, "none");
  const { r, lora_alpha: alpha, use_rslora, lora_dropout: dropout = 0, modules_to_save: whole } = config;
  if (!Number.isInteger(r) || (r as number) < 1) refuse("r", "a whole number of 1 or more");
  if (typeof alpha !== "number" || !(alpha > 0 && alpha < Infinity)) refuse("lora_alpha", "a number above 0");
  if (typeof dropout !== "number" || !(dropout >= 0 && dropout < 1)) refuse("lora_dropout", "a number from 0 to 1");
  if (!isEmpty(whole) && !(Array.isArray(whole) && whole.every((name) => typeof name === "string"))) {
    refuse("modules_to_save", "a list of names");
  }
  return {
    rank: r as number,
    alpha: alpha as number,
    dropout: dropout as number,
    rslora: use_rslora === true,
    ...readTensors(folder, r as number, (whole ?? []) as string[]),
  };
}

const NAME = /^(?:base_model\.model\.)?(.+)\.lora_([AB])\.weight$/;
const WHOLE = /^(?:base_model\.model\.)?((.+)\.(?:weight|bias))$/;

function readTensors(folder: string, rank: number, whole: readonly string[]): AdapterTensors {
  using file = openModelTensors(folder, "adapter_model");
  const halves = new Map<string, { a?: Matrix; b?: Matrix }>(), saved = new Map<string, Matrix>();
  for (const [name, { shape }] of file.tensors) {
    const [, parameter, module] = WHOLE.exec(name) ?? [];
    if (parameter !== undefined && whole.some((end) => module === end || module!.endsWith(`.${end}`))) {
      saved.set(parameter, { shape, data: file.float32(name) });
      continue;
    }
    const [, weight, half] = NAME.exec(name) ?? [];
    if (weight === undefined || shape.length !== 2) {
      throw new RangeError(
        `Cannot load an adapter from ${folder}: "${name}" [${shape}] is no lora_A or lora_B of a matrix`,
      );
    }
    const pair = halves.get(weight) ?? {}, side = half === "A" ? "a" : "b", own = shape[half === "A" ? 0 : 1];
    if (pair[side]) {
      throw new RangeError(`Cannot load an adapter from ${folder}: it has two lora_${half} of "${weight}", want one`);
    }
    if (own !== rank) {
      throw new RangeError(
        `Cannot load an adapter from ${folder}: "${name}" [${shape}] has rank ${own}, want ${rank} as its ${CONFIG} says`,
      );
    }
    pair[side] = { shape, data: file.float32(name) };
    halves.set(weight, pair);
  }
  if (halves.size === 0) throw new RangeError(`Cannot load an adapter from ${folder}: it changes no weight`);
  const pairs = new Map([...halves].map(([weight, { a, b }]) => {
    if (!a || !b) {
      throw new RangeError(`Cannot load an adapter from ${folder}: "${weight}" has only one of lora_A and lora_B`);
    }
    return [`${weight}.weight`, { a, b }];
  }));
  return { pairs, saved };
}

const modulesOf = (
  names: Iterable<string>,
) => [...new Set([...names].map((name) => name.replace(/\.(?:weight|bias)$/, "")))];

/** What is written besides an adapter's numbers. */
interface Written {
  /** Where the model lies that the adapter is upon; null where nobody knows. */
  readonly base: string | null;
  /** Of the tokenizer: file name to text. */
  readonly files: ReadonlyMap<string, string>;
  /** What PEFT makes of it: a language model, or one that classifies sequences. */
  readonly task?: "CAUSAL_LM" | "SEQ_CLS";
  readonly dtype?: "F32" | "F16" | "BF16";
}

/** What adapter_config.json says of an adapter, in the words of PEFT 0.21. */
function configOf(
  { rank, alpha, dropout, rslora, pairs, saved }: PeftAdapter,
  { base, task = "CAUSAL_LM" }: Pick<Written, "base" | "task">,
) {
  const names = modulesOf(pairs.keys());
  return {
    base_model_name_or_path: base,
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    lora_alpha: alpha,
    lora_dropout: dropout,
    modules_to_save: saved.size > 0 ? modulesOf(saved.keys()) : null,
    peft_type: "LORA",
    r: rank,
    target_modules: names,
    task_type: task,
    use_dora: false,
    use_rslora: rslora,
  };
}

/**
 * Replaces or makes `folder` with adapter_config.json and adapter_model.safetensors, which PEFT loads upon the model at
 * `base`, and with the tokenizer's files. Throws a RangeError where the folder holds anything but files of a model.
 */
export function writeAdapterFolder(
  folder: string,
  adapter: PeftAdapter,
  { base, files, task = "CAUSAL_LM", dtype = "F32" }: Written,
): void {
  const tensors = new Map<string, Matrix>();
  for (const [name, { a, b }] of adapter.pairs) {
    const module = `base_model.model.${name.replace(/\.weight$/, "")}`;
    tensors.set(`${module}.lora_A.weight`, a).set(`${module}.lora_B.weight`, b);
  }
  for (const [name, tensor] of adapter.saved) tensors.set(`base_model.model.${name}`, tensor);
  const texts = new Map([[CONFIG, `${JSON.stringify(configOf(adapter, { base, task }), null, 2)}\n`], ...files]);
  writeFiles(folder, texts, { name: "adapter_model.safetensors", tensors, dtype });
}

/**
 * The tensors with W + scaling · B A in place of every W that the adapter changes (PEFT `merge_and_unload`); sums in
 * float64. Throws RangeError for a weight that the base model does not have in that shape, and for one that becomes NaN or
 * infinite.
 */
export function merged<Tensor extends { readonly shape: readonly number[]; readonly data: Float32Array }>(
  tensors: ReadonlyMap<string, Tensor>,
  adapter: Omit<PeftAdapter, "dropout">,
): Map<string, Tensor> {
  const result = new Map(tensors), scaling = scalingOf(adapter);
  for (const [name, { shape, data }] of adapter.saved) {
    const base = tensors.get(name);
    if (!base || `${base.shape}` !== `${shape}`) {
      throw new RangeError(
        `Cannot merge an adapter: it has "${name}" [${shape}], which the model has ${
          base ? `as [${base.shape}]` : "not"
        }`,
      );
    }
    result.set(name, { ...base, data: data.slice() });
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
    const data = sumOf(base.data, a.data, b.data, { rank, inner, outer, scaling });
    const broken = data.findIndex((value) => !Number.isFinite(value));
    if (broken >= 0) {
      throw new RangeError(
        `Cannot merge an adapter: "${name}" becomes ${data[broken]} at element ${broken}, want finite numbers`,
      );
    }
    result.set(name, { ...base, data });
  }
  return result;
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
