/**
 * Low-rank adapters (LoRA): what is added to the products of a frozen base, and where its numbers lie.
 *
 *     y = x Wᵀ + scaling · (dropout(x) Aᵀ) Bᵀ        A [r, in], B [out, r]
 *
 * The base is stored once and never changed; an adapter has a layout of its own, so only it has gradients and moments.
 * Source: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", eq. 3; PEFT tuners/lora/layer.py `Linear.forward`.
 * @module
 */
import { type Layout, layoutOf, type LayoutRow, type PackedParameter, type Parameter } from "./layout.ts";

/** Of A and B of one matrix. */
interface Strength {
  readonly rank: number;
  /** Factor of the added product: alpha / r, or alpha / √r (rsLoRA). */
  readonly scaling: number;
}

/** Which parameters of a base an adapter changes, by their checkpoint names, and how. */
export interface AdapterPlan extends Strength {
  /** Both are in the factors already; who saves the adapter writes them down. */
  readonly alpha: number;
  readonly rslora: boolean;
  /** Share of the inputs of A that training leaves out. */
  readonly dropout: number;
  /** Matrices that get A and B. */
  readonly targets: ReadonlySet<string>;
  /** Those among them with a rank or alpha of their own. */
  readonly apart?: ReadonlyMap<string, Strength & { readonly alpha: number }>;
  /** Parameters that train whole, in a copy (PEFT's modules_to_save). */
  readonly saved: ReadonlySet<string>;
}

/** A plan placed upon the layout of its base. */
export interface Adapter extends AdapterPlan {
  /** What is read of the base: all of it, or without its head where another one stands on it. */
  readonly base: Layout;
  /** Of A, B and copies: what trains. A copy has the name of its parameter. */
  readonly layout: Layout;
}

/** The rank of a matrix's A and B, and the factor of their product. */
export function strengthOf({ rank, scaling, apart }: AdapterPlan, target: string): Strength {
  return apart?.get(target) ?? { rank, scaling };
}

/** What of an adapter decides how large its graphs are, as a value to compare: names, ranks, and whether inputs drop out. */
export function adapterSizes(adapter: AdapterPlan | null): unknown {
  if (adapter === null) return null;
  const ranks = [...adapter.targets].map((name) => [name, strengthOf(adapter, name).rank]);
  return [ranks, [...adapter.saved], adapter.dropout > 0];
}

/** Names of A and B of a matrix while they train; those of PEFT's files stand in data/hub/peft_names.ts alone. */
export function adapterNames(target: string): { readonly a: string; readonly b: string } {
  const module = target.replace(/\.weight$/, "");
  return { a: `${module}.lora_A.weight`, b: `${module}.lora_B.weight` };
}

/** Packed names of what an adapter has for a packed parameter of its base. */
export function adapterParts(packed: string): {
  readonly a: string;
  readonly b: string;
  /** B of the i-th adapted part, where their ranks differ. */
  readonly bOf: (part: number) => string;
  readonly saved: string;
} {
  return {
    a: `${packed}.lora_A`,
    b: `${packed}.lora_B`,
    bOf: (i) => `${packed}.lora_B.${i}`,
    saved: `${packed}.saved`,
  };
}

/** The layout of a base as a model with other parameters reads it: without those that this model has not. */
export function readOf(base: Layout, { packed: wanted }: Layout): Layout {
  const names = new Set(wanted.map(({ name }) => name)), packed = base.packed.filter(({ name }) => names.has(name));
  const parameters = packed.flatMap(({ parts }) => parts);
  return { ...base, packed, parameters, count: parameters.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * Places an adapter: A of q, k and v are one matrix, so are their B. `added` are parameters that train whole and that the
 * base has not, as a head of another kind. Throws a RangeError for what neither has.
 */
export function adapterOf(base: Layout, plan: AdapterPlan, added: readonly PackedParameter[] = []): Adapter {
  const all = [...base.parameters, ...added.flatMap(({ parts }) => parts)],
    known = new Set(all.map(({ name }) => name));
  for (const name of [...plan.targets, ...plan.saved]) {
    if (!known.has(name)) throw new RangeError(`Cannot make an adapter: the model has no parameter "${name}"`);
  }
  const rows = [...base.packed, ...added].flatMap((packed) => [
    ...lowRankRows(packed, plan),
    ...savedRows(packed, plan),
  ]);
  const { initializerRange, initialNorm } = base;
  const layout = layoutOf(rows, { repeated: [], initializerRange, initialNorm });
  return { ...plan, base, layout };
}

function lowRankRows({ name, parts }: PackedParameter, plan: AdapterPlan): LayoutRow[] {
  const adapted = parts.filter((part) => plan.targets.has(part.name)), names = adapterParts(name);
  if (adapted.length === 0) return [];
  const sizes = adapted.map((part) => {
    const [outer, inner] = matrixSize(part);
    return { ...adapterNames(part.name), outer, inner, rank: strengthOf(plan, part.name).rank };
  });
  const all = sizes.map(({ b, outer, rank }) => [b, [outer, rank]] as const);
  return [
    [names.a, ...sizes.map(({ a, rank, inner }) => [a, [rank, inner]] as const)],
    ...(sizes.every(({ rank }) => rank === sizes[0]!.rank)
      ? [[names.b, ...all] as LayoutRow]
      : all.map((part, i): LayoutRow => [names.bOf(i), part])),
  ];
}

function savedRows({ name, parts }: PackedParameter, { saved, targets }: AdapterPlan): LayoutRow[] {
  const copied = parts.filter((part) => saved.has(part.name));
  if (copied.length === 0) return [];
  const both = copied.find((part) => targets.has(part.name));
  if (both) throw new RangeError(`Cannot adapt "${both.name}" and train it whole: want one of the two`);
  return [[adapterParts(name).saved, ...copied.map(({ name, shape, stored }) => [name, shape, stored] as const)]];
}

function matrixSize({ name, shape }: Parameter): readonly [number, number] {
  const [outer, inner] = shape;
  if (shape.length !== 2) throw new RangeError(`Cannot adapt "${name}" [${shape}]: want a matrix`);
  return [outer!, inner!];
}
