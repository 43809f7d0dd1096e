/** A model's low-rank adapter outside of graphs: how it begins, what is saved of it, the weights with it merged in. @module */
import { otherBase } from "../../data/hub/adapter_base.ts";
import { adapterMisfit } from "../../data/hub/adapter_fit.ts";
import { merged, type PeftAdapter } from "../../data/hub/peft_adapter.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { adapterNames, type AdapterPlan } from "../../gpu/weights/adapter.ts";
import type { NamedArray, Weights } from "../../gpu/weights/weights.ts";
import { adapterPlan } from "../options/adapter_plan.ts";
import { idleProblem, movement } from "../options/idle_adapter.ts";
import type { LoraOptions } from "../options/lora.ts";
import type { StepContext } from "../step.ts";
import { adapterFolder } from "./model_source.ts";
import type { ResourceState } from "./resource.ts";
import { freshValues, keepBy, named, ofFolder, zeroNames } from "./adapter_values.ts";

/** Throws a RangeError for an adapter that does not fit a model, before any weight is read. */
export function requireFit(folder: string, config: ModelConfig): void {
  const misfit = adapterMisfit(folder, parameterLayout(config));
  if (misfit !== null) throw new RangeError(`Cannot load the adapter in ${folder}: is it another model's? ${misfit}`);
}

/**
 * Throws a RangeError for an adapter that was trained upon other weights than those in `base` (null: in no folder), and
 * tells of one whose folder names another model.
 */
export function requireItsBase(folder: string, base: string | null, { emit }: Pick<StepContext, "emit">): void {
  const other = base === null ? null : otherBase(folder, base);
  if (other?.certain) throw new RangeError(`Cannot load the adapter in ${folder}: ${other.text}`);
  if (other !== null) emit({ event: "message", text: `the adapter in ${folder}: ${other.text}` });
}

/** The folder of a saved adapter that goes upon the weights in `base`; null where none is asked for. */
export function savedAdapter(
  adapter: string | undefined,
  { name, base }: { readonly name: "critic" | "reward_model"; readonly base: string | null },
  context: Pick<StepContext, "emit" | "folders">,
): string | null {
  if (adapter === undefined) return null;
  const folder = adapterFolder(adapter, context.folders, name);
  requireItsBase(folder, base, context);
  return folder;
}

/** Puts the adapter that is asked for upon a model. */
export type Adapting = (model: LanguageModel) => LanguageModel;

/** Puts the adapter of a folder upon a model, else a fresh one where there are settings of it. */
export function adapting(folder: string | null, lora: LoraOptions | undefined, seed: number): Adapting {
  if (folder !== null) return (model) => loadedAdapter(model, folder, seed);
  return lora === undefined ? (model) => model : (model) => freshAdapter(model, lora, seed);
}

/**
 * A model with a fresh adapter: A drawn by the seed, B zero, copies as the base has them. Nothing changes until an update.
 * Throws a RangeError for modules that the model has not; `base` is then still its owner's.
 */
export function freshAdapter(base: LanguageModel, given: LoraOptions, seed: number): LanguageModel {
  const { layout } = base.weights, plan = adapterPlan(layout, given);
  const before = plan.saved.size > 0 ? base.weights.viewHuggingFace() : new Map<string, NamedArray>();
  return filled(base, plan, freshValues(layout, plan, before, { init: given.init, seed, stream: "lora" }), seed);
}

/** A model with the adapter of a folder, to be trained on. Throws a RangeError for one that is another model's. */
export function loadedAdapter(base: LanguageModel, folder: string, seed: number): LanguageModel {
  const { plan, values } = ofFolder(folder);
  return named(folder, () => filled(base, plan, values, seed));
}

function filled(
  base: LanguageModel,
  plan: AdapterPlan,
  values: ReadonlyMap<string, NamedArray>,
  seed: number,
): LanguageModel {
  const model = LanguageModel.adapt(base, plan, keepBy(seed, plan.dropout));
  try {
    model.weights.fromHuggingFace(values);
  } catch (error) {
    model.weights.release();
    throw error;
  }
  return model;
}

const KEYS = new WeakMap<Weights, number>();

/** A number that tells one base from another, by all of its bits (FNV-1a over words); null without an adapter. */
export function baseKey({ adapted }: LanguageModel): number | null {
  if (!adapted) return null;
  const { base } = adapted, known = KEYS.get(base);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (const words of base.words()) {
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  }
  KEYS.set(base, hash >>> 0);
  return hash >>> 0;
}

/** Throws a RangeError where a state was saved of an adapter upon another base. */
export function requireBase(model: LanguageModel, json: ResourceState["json"]): void {
  if ((json["base"] ?? null) === baseKey(model)) return;
  throw new RangeError(
    "Cannot restore the adapter: its base has other weights than when the checkpoint was written; give the same model",
  );
}

/** What the table `settings` says of a model's adapter; names of another model than the policy begin with `whose`. */
export function adapterSettings(
  { adapted, weights }: LanguageModel,
  whose = "",
): Readonly<Record<string, number | string | boolean>> {
  if (!adapted) return {};
  const { rank, alpha, dropout, targets, saved } = adapted.adapter;
  const modules = (names: ReadonlySet<string>) =>
    [...new Set([...names].map((name) => name.split(".").at(-2)!))].sort().join(", ");
  const settings = {
    lora_rank: rank,
    lora_alpha: alpha,
    lora_dropout: dropout,
    lora_target_modules: modules(targets),
    ...(saved.size === 0 ? {} : { lora_modules_to_save: modules(saved) }),
    lora_fresh: [...weights.toHuggingFace()].every(([name, { data }]) =>
      !name.endsWith("lora_B.weight") || data.every((x) => x === 0)
    ),
    adapter_parameters: weights.layout.count,
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${whose}${name}`, value]));
}

/** Throws a RangeError where what `trainable` leaves out is 0 and holds all the rest of the adapter still. */
export function refuseIdle({ adapted, weights, trainable }: LanguageModel): void {
  if (!adapted) return;
  const zeros = zeroNames(weights.toHuggingFace());
  const problem = idleProblem(
    movement(adapted.adapter, { trains: (name) => trainable.names.has(name), isZero: (name) => zeros.has(name) }),
  );
  if (problem !== null) throw new RangeError(`Cannot train the adapter: ${problem}`);
}

/** The adapter of a model as PEFT saves it. Throws a TypeError where it has none. */
export function adapterOfModel({ adapted, weights }: LanguageModel): PeftAdapter {
  if (!adapted) throw new TypeError("Cannot write an adapter: the model has none, all its weights train");
  const { rank, alpha, rslora, dropout, apart, targets, saved, base } = adapted.adapter,
    values = weights.toHuggingFace();
  const pairs = [...targets].map((name) => {
    const { a, b } = adapterNames(name);
    return [name, { a: values.get(a)!, b: values.get(b)! }] as const;
  });
  const copies = [...saved].map((name) => [name, values.get(name)!] as const);
  // A copy of the embedding is the head too where they are one matrix: PEFT would part them, were it not told.
  const tied = base.repeated.length > 0 && saved.has("model.embed_tokens.weight");
  const settings = { rank, alpha, rslora, dropout, ...(tied ? { tied } : {}), ...(apart ? { apart } : {}) };
  return { ...settings, pairs: new Map(pairs), saved: new Map(copies) };
}

/**
 * Every parameter of a model by its checkpoint name, an adapter merged in: the others are the model's own, no copies, or
 * with `exact` those of the base before it was rounded.
 */
export function modelTensors(
  model: LanguageModel,
  exact: Map<string, NamedArray> | null = null,
): Map<string, NamedArray> {
  const { adapted, weights } = model;
  if (!adapted) return weights.viewHuggingFace();
  const tensors = exact ?? adapted.base.viewHuggingFace(), adapter = adapterOfModel(model);
  const read = new Set(adapted.adapter.base.parameters.map(({ name }) => name));
  for (const name of tensors.keys()) if (!read.has(name)) tensors.delete(name);
  // What the base has not, as a head of another kind, is the adapter's alone.
  for (const [name, tensor] of adapter.saved) if (!tensors.has(name)) tensors.set(name, tensor);
  return merged(tensors, adapter);
}
