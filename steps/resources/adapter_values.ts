/** What an adapter's numbers are before it trains: drawn by the seed, or those of a folder; and what its dropout keeps. @module */
import { type PeftAdapter, readAdapter } from "../../data/hub/peft_adapter.ts";
import { normals, philoxWords, uniform } from "../../data/random.ts";
import type { KeepDraws } from "../../gpu/models/model.ts";
import { adapterNames, type AdapterPlan, strengthOf } from "../../gpu/weights/adapter.ts";
import type { Layout } from "../../gpu/weights/layout.ts";
import type { NamedArray } from "../../gpu/weights/weights.ts";
import { planOf } from "../options/adapter_plan.ts";
import type { LoraOptions } from "../options/lora.ts";

/** Who draws, and how A is drawn. */
interface Drawn {
  readonly init: LoraOptions["init"];
  readonly seed: number;
  readonly stream: string;
}

/** A drawn, B zero unless init is false, copies as `before` has them. */
export function freshValues(
  { parameters }: Pick<Layout, "parameters">,
  plan: AdapterPlan,
  before: ReadonlyMap<string, NamedArray>,
  { init, seed, stream }: Drawn,
): Map<string, NamedArray> {
  const values = new Map<string, NamedArray>();
  let row = 0;
  for (const { name, shape: [outer, inner] } of parameters) {
    if (!plan.targets.has(name)) continue;
    const { a, b } = adapterNames(name), { rank } = strengthOf(plan, name), at = { seed, stream, row: row++ };
    const first = init === "gaussian" ? gaussian(rank, inner!, at) : within(rank * inner!, inner!, at);
    const second = init === false ? within(outer! * rank, rank, { ...at, stream: `${stream}.b` }) : null;
    values.set(a, { shape: [rank, inner!], data: first });
    values.set(b, { shape: [outer!, rank], data: second ?? new Float32Array(outer! * rank) });
  }
  for (const name of plan.saved) values.set(name, before.get(name)!);
  return values;
}

/** Of the `row`-th matrix. */
interface Draw {
  readonly seed: number;
  readonly stream: string;
  readonly row: number;
}

/** Uniform within 1 / √in: kaiming_uniform_(a = √5), as torch begins a linear layer (PEFT tuners/lora/layer.py `reset_lora_parameters`). */
function within(count: number, inner: number, { seed, stream, row }: Draw): Float32Array {
  const bound = 1 / Math.sqrt(inner);
  return Float32Array.from({ length: count }, (_, i) => bound * (2 * uniform(seed, stream, 0, row, i) - 1));
}

/** A, normal with deviation 1 / r, of the same function. */
function gaussian(rank: number, inner: number, { seed, stream, row }: Draw): Float32Array {
  return normals(seed, stream, rank * inner, 0, row).map((x) => x / rank);
}

/** The plan and the numbers of an adapter that PEFT or export_model saved. */
export function ofFolder(folder: string): { readonly plan: AdapterPlan; readonly values: Map<string, NamedArray> } {
  return planned(readAdapter(folder));
}

/** Names of the tensors that are 0 throughout. */
export function zeroNames(values: ReadonlyMap<string, NamedArray>): ReadonlySet<string> {
  return new Set([...values].filter(([, { data }]) => data.every((x) => x === 0)).map(([name]) => name));
}

/** How a saved adapter begins, without its numbers. */
export interface SavedAdapter {
  readonly plan: AdapterPlan;
  /** Names of the parameters that are 0. */
  readonly zeros: ReadonlySet<string>;
}

export function savedAdapterOf(folder: string): SavedAdapter {
  const { plan, values } = ofFolder(folder);
  return { plan, zeros: zeroNames(values) };
}

function planned(adapter: PeftAdapter): { readonly plan: AdapterPlan; readonly values: Map<string, NamedArray> } {
  const { pairs, saved } = adapter, values = new Map<string, NamedArray>();
  for (const [name, pair] of pairs) {
    const { a, b } = adapterNames(name);
    values.set(a, pair.a).set(b, pair.b);
  }
  for (const [name, tensor] of saved) values.set(name, tensor);
  return { plan: planOf(adapter, { targets: new Set(pairs.keys()), saved: new Set(saved.keys()) }), values };
}

/** Runs `load`; where it throws a RangeError, the error names the folder of the adapter. */
export function named<Loaded>(folder: string, load: () => Loaded): Loaded {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`Cannot load the adapter in ${folder}: is it another model's? ${error.message}`);
  }
}

/**
 * What dropout keeps, by the seed: 16 bits decide of an input, so its share is that of `dropout` to 1 / 65,536. Null where
 * nothing is left out. `who` tells the draws of one adapter from those of another.
 */
export function keepBy(seed: number, dropout: number, who = ""): KeepDraws | null {
  if (dropout === 0) return null;
  const least = Math.round(dropout * 65_536);
  return ({ stream, trainStep, row, token }, keep) => {
    const words = philoxWords(
      seed,
      `${who}${stream}`,
      trainStep,
      row,
      token * Math.ceil(keep.length / 8),
      Math.ceil(keep.length / 2),
    );
    for (let i = 0; i < keep.length; i++) keep[i] = Number((words[i >>> 1]! >>> (16 * (i & 1)) & 0xffff) >= least);
  };
}
