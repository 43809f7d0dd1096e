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

/** Which parameters of a base an adapter changes, by their checkpoint names, and how. */
export interface AdapterPlan {
  readonly rank: number;
  readonly alpha: number;
  readonly rslora: boolean;
  /** Factor of the added product: alpha / r, or alpha / √r (rsLoRA). */
  readonly scaling: number;
  /** Share of the inputs of A that training leaves out. */
  readonly dropout: number;
  /** Matrices that get A and B. */
  readonly targets: ReadonlySet<string>;
  /** Parameters that train whole, in a copy (PEFT's modules_to_save). */
  readonly saved: ReadonlySet<string>;
}

/** A plan placed upon the layout of its base. */
export interface Adapter extends AdapterPlan {
  /** What is read of the base: all of it, or without its head where another one stands on it. */
  readonly base: Layout;
  /** Of A, B and copies: what trains. Names are those of PEFT's files. */
  readonly layout: Layout;
}

const PREFIX = "base_model.model.";

/** Names of A and B of a matrix, as in PEFT's adapter_model.safetensors. */
export function adapterNames(target: string): { readonly a: string; readonly b: string } {
  const module = `${PREFIX}${target.replace(/\.weight$/, "")}`;
  return { a: `${module}.lora_A.weight`, b: `${module}.lora_B.weight` };
}

/** Name of the copy of a parameter, as in PEFT's adapter_model.safetensors. */
export function savedName(parameter: string): string {
  return `${PREFIX}${parameter}`;
}

/** Packed names of what an adapter has for a packed parameter of its base. */
export function adapterParts(packed: string): { readonly a: string; readonly b: string; readonly saved: string } {
  return { a: `${packed}.lora_A`, b: `${packed}.lora_B`, saved: `${packed}.saved` };
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

function lowRankRows({ name, parts }: PackedParameter, { rank, targets }: AdapterPlan): LayoutRow[] {
  const adapted = parts.filter((part) => targets.has(part.name)), names = adapterParts(name);
  const sizes = adapted.map((part) => [adapterNames(part.name), ...matrixSize(part)] as const);
  if (sizes.length === 0) return [];
  return [
    [names.a, ...sizes.map(([{ a }, , inner]) => [a, [rank, inner]] as const)],
    [names.b, ...sizes.map(([{ b }, outer]) => [b, [outer, rank]] as const)],
  ];
}

function savedRows({ name, parts }: PackedParameter, { saved, targets }: AdapterPlan): LayoutRow[] {
  const copied = parts.filter((part) => saved.has(part.name));
  if (copied.length === 0) return [];
  const both = copied.find((part) => targets.has(part.name));
  if (both) throw new RangeError(`Cannot adapt "${both.name}" and train it whole: want one of the two`);
  if (copied.length < parts.length) {
    throw new RangeError(
      `Cannot train "${copied[0]!.name}" whole: it is one matrix with ${
        parts.filter((part) => !saved.has(part.name)).map((part) => part.name).join(" and ")
      } here, want all of them or none`,
    );
  }
  return [[adapterParts(name).saved, ...parts.map((part) => [savedName(part.name), part.shape] as const)]];
}

function matrixSize({ name, shape }: Parameter): readonly [number, number] {
  const [outer, inner] = shape;
  if (shape.length !== 2) throw new RangeError(`Cannot adapt "${name}" [${shape}]: want a matrix`);
  return [outer!, inner!];
}
