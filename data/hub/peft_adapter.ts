/** Reads a low-rank adapter as PEFT saves it, and merges it into the tensors of its base model. @module */
import { didYouMean } from "../did_you_mean.ts";
import { readFolderObject } from "./model_folder.ts";
import { openModelTensors } from "./model_tensors.ts";

/** A tensor by itself, row-major. */
interface Matrix {
  readonly shape: readonly number[];
  readonly data: Float32Array<ArrayBuffer>;
}

/** What is added to a weight W [out, in]: scaling · B A. */
interface LowRank {
  /** [r, in]. */
  readonly a: Matrix;
  /** [out, r]. */
  readonly b: Matrix;
  readonly scaling: number;
}

const CONFIG = "adapter_config.json";

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
  "modules_to_save",
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

/** By the name of the base model's weight. Throws RangeError or SyntaxError for what is no plain LoRA adapter. */
export function readAdapter(folder: string): Map<string, LowRank> {
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
  const { r, lora_alpha: alpha, use_rslora } = config;
  if (!Number.isInteger(r) || (r as number) < 1) refuse("r", "a whole number of 1 or more");
  if (typeof alpha !== "number" || !Number.isFinite(alpha)) refuse("lora_alpha", "a finite number");
  const scaling = (alpha as number) / (use_rslora === true ? Math.sqrt(r as number) : r as number);
  return readPairs(folder, r as number, scaling);
}

const NAME = /^(?:base_model\.model\.)?(.+)\.lora_([AB])\.weight$/;

function readPairs(folder: string, rank: number, scaling: number): Map<string, LowRank> {
  using file = openModelTensors(folder, "adapter_model");
  const halves = new Map<string, { a?: Matrix; b?: Matrix }>();
  for (const [name, { shape }] of file.tensors) {
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
    pair[side] = { shape, data: file.float32(name) as Float32Array<ArrayBuffer> };
    halves.set(weight, pair);
  }
  if (halves.size === 0) throw new RangeError(`Cannot load an adapter from ${folder}: it changes no weight`);
  return new Map([...halves].map(([weight, { a, b }]) => {
    if (!a || !b) {
      throw new RangeError(`Cannot load an adapter from ${folder}: "${weight}" has only one of lora_A and lora_B`);
    }
    return [`${weight}.weight`, { a, b, scaling }];
  }));
}

/**
 * The tensors with W + scaling · B A in place of every W that the adapter changes (PEFT `merge_and_unload`); sums in
 * float64. Throws RangeError for a weight that the base model does not have in that shape, and for one that becomes NaN or
 * infinite.
 */
export function merged<Tensor extends { readonly shape: readonly number[]; readonly data: Float32Array }>(
  tensors: ReadonlyMap<string, Tensor>,
  adapter: ReadonlyMap<string, LowRank>,
): Map<string, Tensor> {
  const result = new Map(tensors);
  for (const [name, { a, b, scaling }] of adapter) {
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
    const data = Float32Array.from(base.data, (w, at) => {
      const row = Math.floor(at / inner), column = at % inner;
      let sum = 0;
      for (let k = 0; k < rank; k++) sum += b.data[row * rank + k]! * a.data[k * inner + column]!;
      return w + scaling * sum;
    });
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
