/**
 * Where every parameter lies in the one array that holds them all.
 *
 * Matrices keep Hugging Face's [out, in] layout; q, k and v are neighbours, so one view is the fused matrix and a Hugging
 * Face tensor is a contiguous view too: no conversion, exact both ways. Matrices come first,
 * vectors last, so that weight decay is a prefix.
 * @module
 */
import { matchesName } from "./name_pattern.ts";

/** One Hugging Face tensor. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  /** First element in the arena. */
  readonly offset: number;
  readonly size: number;
  /** The shape in a checkpoint, where that has more axes than the matrix here. */
  readonly stored?: readonly number[];
}

/** Its shape in a checkpoint. */
export const storedShape = ({ shape, stored = shape }: Pick<Parameter, "shape" | "stored">) => stored;

/** One tensor as the graphs see it: one or several parameters, stacked by rows. */
export interface PackedParameter extends Parameter {
  readonly parts: readonly Parameter[];
}

export interface Layout {
  readonly packed: readonly PackedParameter[];
  readonly parameters: readonly Parameter[];
  /** Elements of the arena, padding between tensors included. */
  readonly size: number;
  /** Elements before the first vector: those that weight decay applies to. */
  readonly matrixSize: number;
  /** Parameters that count, without padding. */
  readonly count: number;
  /** Names under which a checkpoint may hold a parameter once more, as the head of tied embeddings: not read. */
  readonly repeated: readonly string[];
  /** Standard deviation of random initial matrices. */
  readonly initializerRange: number;
  /** The same of those whose names begin so, where it differs. */
  readonly initializerRanges?: Readonly<Record<string, number>>;
  /** Where a norm's weights begin: 1, or 0 where the norm adds 1 to them. */
  readonly initialNorm: 0 | 1;
}

const ALIGN = 16; // Tensors start at multiples of 64 bytes.

/** A packed tensor and the parameters it is stacked of; `stored` as in `Parameter`. */
export type LayoutRow = readonly [
  packed: string,
  ...parts: (readonly [name: string, shape: readonly number[], stored?: readonly number[] | undefined])[],
];

function count(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** Places tensors one after another, matrices before vectors; offsets in elements. */
export function layoutOf(
  rows: readonly LayoutRow[],
  more: Pick<Layout, "repeated" | "initializerRange" | "initializerRanges" | "initialNorm">,
): Layout {
  const isMatrix = (row: LayoutRow) => row[1]?.[1].length === 2;
  let offset = 0, matrixSize = 0;
  const packed: PackedParameter[] = [];
  for (const matrices of [true, false]) {
    for (const row of rows.filter((row) => isMatrix(row) === matrices)) {
      const [name, ...parts] = row;
      const start = offset;
      const placed = parts.map(([partName, shape, stored]) => {
        const part = { name: partName, shape, offset, size: count(shape), ...(stored ? { stored } : {}) };
        offset += part.size;
        return part;
      });
      const leading = placed.reduce((sum, part) => sum + (part.shape[0] ?? 0), 0);
      const shape = [leading, ...(placed[0]?.shape.slice(1) ?? [])];
      packed.push({ name, shape, offset: start, size: offset - start, parts: placed });
      offset = Math.ceil(offset / ALIGN) * ALIGN;
    }
    if (matrices) matrixSize = offset;
  }
  const parameters = packed.flatMap((tensor) => tensor.parts);
  return {
    packed,
    parameters,
    size: offset,
    matrixSize,
    count: parameters.reduce((sum, p) => sum + p.size, 0),
    ...more,
  };
}

/** Standard deviation of a matrix's random initial numbers. */
export function initialRange({ initializerRange, initializerRanges = {} }: Layout, name: string): number {
  return Object.entries(initializerRanges).find(([begin]) => name.startsWith(begin))?.[1] ?? initializerRange;
}

/** Throws a RangeError that names a tensor of a checkpoint that is missing, unknown or of another shape. */
export function requireTensors(
  { parameters, repeated }: Pick<Layout, "parameters" | "repeated">,
  tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>,
): void {
  const known = new Set(parameters.map(({ name }) => name));
  for (const name of tensors.keys()) {
    if (known.has(name) || repeated.includes(name) || name.endsWith("rotary_emb.inv_freq")) continue;
    throw new RangeError(
      `Cannot load weights: "${name}" is not a parameter of this model, want ${[...known].join(", ")}`,
    );
  }
  for (const parameter of parameters) {
    const { name } = parameter, shape = storedShape(parameter), tensor = tensors.get(name);
    if (!tensor) throw new RangeError(`Cannot load weights: "${name}" is missing, want shape [${shape}]`);
    if (`${tensor.shape}` !== `${shape}`) {
      throw new RangeError(`Cannot load weights: "${name}" has shape [${tensor.shape}], want [${shape}]`);
    }
  }
}

/**
 * Names that a pattern matches (`*` = any characters) and none that begins with `!` does; all but those where each begins so.
 * Throws a RangeError for a pattern that matches nothing, and where nothing is left.
 */
export function matchParameters(layout: Layout, patterns: readonly string[]): Set<string> {
  const names = layout.parameters.map(({ name }) => name), listed = `want one of ${names.join(", ")}`;
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const matched = new Set(wanted.length === 0 ? names : []);
  for (const pattern of [...wanted, ...patterns.filter((pattern) => pattern.startsWith("!"))]) {
    const isLeftOut = pattern.startsWith("!"), bare = isLeftOut ? pattern.slice(1) : pattern;
    const hits = names.filter((name) => matchesName(bare, name));
    if (hits.length === 0) {
      throw new RangeError(`Cannot choose trainable parameters: "${pattern}" matches no parameter, ${listed}`);
    }
    for (const name of hits) {
      if (isLeftOut) matched.delete(name);
      else matched.add(name);
    }
  }
  if (matched.size === 0) {
    throw new RangeError(`Cannot choose trainable parameters: "${patterns.join('", "')}" leaves none, ${listed}`);
  }
  return matched;
}
