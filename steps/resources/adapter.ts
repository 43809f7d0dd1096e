/** A model's low-rank adapter outside of graphs: how it begins, what is saved of it, the weights with it merged in. @module */
import { resolve } from "node:path";
import { merged, type PeftAdapter, readAdapter, scalingOf } from "../../data/hub/peft_adapter.ts";
import { normals, philoxWords, uniform } from "../../data/random.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import type { KeepDraws } from "../../gpu/models/model.ts";
import { adapterNames, type AdapterPlan, savedName } from "../../gpu/weights/adapter.ts";
import type { NamedArray, Weights } from "../../gpu/weights/weights.ts";
import { adapterPlan, type LoraOptions } from "../options/lora.ts";

/** Puts the adapter that is asked for upon a model. */
export type Adapting = (model: LanguageModel) => LanguageModel;

/** How `lora` of load_model is followed; the workflow lies in `folder`. */
export function adapting(lora: LoraOptions | undefined, folder: string, seed: number): Adapting {
  if (lora === undefined) return (model) => model;
  const { from } = lora;
  if (from === undefined) return (model) => freshAdapter(model, lora, seed);
  return (model) => loadedAdapter(model, resolve(folder, from), seed);
}

/**
 * A model with a fresh adapter: A drawn by the seed, B zero, copies as the base has them. Nothing changes until an update.
 * Throws a RangeError for modules that the model has not; `base` is then still its owner's.
 */
export function freshAdapter(base: LanguageModel, given: LoraOptions, seed: number): LanguageModel {
  const { layout } = base.weights, plan = adapterPlan(layout, given), values = new Map<string, NamedArray>();
  let row = 0;
  for (const { name, shape: [outer, inner] } of layout.parameters) {
    if (!plan.targets.has(name)) continue;
    const { a, b } = adapterNames(name), { rank } = plan;
    values.set(a, { shape: [rank, inner!], data: DRAW[given.init](rank, inner!, seed, row++) });
    values.set(b, { shape: [outer!, rank], data: new Float32Array(outer! * rank) });
  }
  const before = plan.saved.size > 0 ? base.weights.viewHuggingFace() : new Map<string, NamedArray>();
  for (const name of plan.saved) values.set(savedName(name), before.get(name)!);
  return filled(base, plan, values, seed);
}

/** A model with the adapter of a folder, to be trained on. Throws a RangeError for one that is another model's. */
export function loadedAdapter(base: LanguageModel, folder: string, seed: number): LanguageModel {
  const adapter = readAdapter(folder), { rank, alpha, rslora, dropout, pairs, saved } = adapter;
  const plan = { rank, alpha, rslora, dropout, scaling: scalingOf(adapter) };
  const values = new Map<string, NamedArray>();
  for (const [name, pair] of pairs) {
    const { a, b } = adapterNames(name);
    values.set(a, pair.a).set(b, pair.b);
  }
  for (const [name, tensor] of saved) values.set(savedName(name), tensor);
  try {
    return filled(base, { ...plan, targets: new Set(pairs.keys()), saved: new Set(saved.keys()) }, values, seed);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`Cannot load the adapter in ${folder}: is it another model's? ${error.message}`);
  }
}

function filled(
  base: LanguageModel,
  plan: AdapterPlan,
  values: ReadonlyMap<string, NamedArray>,
  seed: number,
): LanguageModel {
  const model = LanguageModel.adapt(base, plan, plan.dropout > 0 ? keepBy(seed, plan.dropout) : null);
  try {
    model.weights.fromHuggingFace(values);
  } catch (error) {
    model.weights.release();
    throw error;
  }
  return model;
}

/** How A [rank, in] is drawn. PEFT tuners/lora/layer.py `reset_lora_parameters`: kaiming_uniform_(a = √5) is uniform within 1 / √in. */
const DRAW: Readonly<
  Record<LoraOptions["init"], (rank: number, inner: number, seed: number, row: number) => Float32Array>
> = {
  kaiming_uniform: (rank, inner, seed, row) => {
    const bound = 1 / Math.sqrt(inner);
    return Float32Array.from(
      { length: rank * inner },
      (_, i) => bound * (2 * uniform(seed, "lora", 0, row, i) - 1),
    );
  },
  gaussian: (rank, inner, seed, row) => normals(seed, "lora", rank * inner, 0, row).map((x) => x / rank),
};

/** What dropout keeps, by the seed: 16 bits decide of an input, so its share is that of `dropout` to 1 / 65,536. */
function keepBy(seed: number, dropout: number): KeepDraws {
  const least = Math.round(dropout * 65_536);
  return ({ stream, trainStep, row, token }, keep) => {
    const words = philoxWords(
      seed,
      stream,
      trainStep,
      row,
      token * Math.ceil(keep.length / 8),
      Math.ceil(keep.length / 2),
    );
    for (let i = 0; i < keep.length; i++) keep[i] = Number((words[i >>> 1]! >>> (16 * (i & 1)) & 0xffff) >= least);
  };
}

const KEYS = new WeakMap<Weights, number>();

/** A number that tells one base from another, by all of its bits (FNV-1a over words); null without an adapter. */
export function baseKey({ adapted }: LanguageModel): number | null {
  if (!adapted) return null;
  const { base } = adapted, known = KEYS.get(base);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (const { data } of base.viewHuggingFace().values()) {
    const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  }
  KEYS.set(base, hash >>> 0);
  return hash >>> 0;
}

/** What the table `settings` says of a model's adapter. */
export function adapterSettings(
  { adapted, weights }: LanguageModel,
): Readonly<Record<string, number | string | boolean>> {
  if (!adapted) return {};
  const { rank, alpha, dropout, targets } = adapted.adapter;
  const modules = new Set([...targets].map((name) => name.split(".").at(-2)!));
  return {
    lora_rank: rank,
    lora_alpha: alpha,
    lora_dropout: dropout,
    lora_target_modules: [...modules].sort().join(", "),
    lora_fresh: [...weights.toHuggingFace()].every(([name, { data }]) =>
      !name.endsWith("lora_B.weight") || data.every((x) => x === 0)
    ),
    adapter_parameters: weights.layout.count,
  };
}

/**
 * Throws a RangeError where `trainable` freezes what an adapter needs to begin: B is 0 there, and while it stays 0 neither A
 * nor the output changes.
 */
export function refuseDead({ adapted, weights, trainable }: LanguageModel): void {
  if (!adapted) return;
  const values = weights.toHuggingFace();
  const dead = [...adapted.adapter.targets].filter((name) => {
    const { b } = adapterNames(name);
    return !trainable.names.has(b) && values.get(b)!.data.every((x) => x === 0);
  });
  if (dead.length === 0) return;
  throw new RangeError(
    `Cannot train the adapter: trainable freezes lora_B of ${dead.length} of its ${adapted.adapter.targets.size} matrices, ` +
      `e.g. "${dead[0]}", and they are 0: nothing would ever change; leave trainable out or add "*.lora_B.weight"`,
  );
}

/** The adapter of a model as PEFT saves it. Throws a TypeError where it has none. */
export function adapterOfModel({ adapted, weights }: LanguageModel): PeftAdapter {
  if (!adapted) throw new TypeError("Cannot write an adapter: the model has none, all its weights train");
  const { rank, alpha, rslora, dropout, targets, saved } = adapted.adapter, values = weights.toHuggingFace();
  const pairs = [...targets].map((name) => {
    const { a, b } = adapterNames(name);
    return [name, { a: values.get(a)!, b: values.get(b)! }] as const;
  });
  const copies = [...saved].map((name) => [name, values.get(savedName(name))!] as const);
  return { rank, alpha, rslora, dropout, pairs: new Map(pairs), saved: new Map(copies) };
}

/** Every parameter of a model by its checkpoint name, an adapter merged in: the others are the model's own, no copies. */
export function modelTensors(model: LanguageModel): Map<string, NamedArray> {
  const { adapted, weights } = model;
  return adapted ? merged(adapted.base.viewHuggingFace(), adapterOfModel(model)) : weights.viewHuggingFace();
}
