/** The parameters of a model inside a graph: the only place where a graph reads one. @module */
import type { DType, Graph, Value } from "../onnx/graph.ts";
import { type Adapter, adapterParts } from "./adapter.ts";
import type { Layout, PackedParameter } from "./layout.ts";

/** Which parameters there are. */
export interface ParameterSource {
  /** What may train: the model's own parameters, or those of its adapter. */
  readonly layout: Layout;
  /** Null = the parameters as they are stored. */
  readonly adapter: Adapter | null;
}

interface Reading {
  /** float32 where absent; float64 is for gradient checks. */
  readonly dtype?: DType;
  /** An adapter leaves out a share of its inputs, as draws say that are inputs of the graph. */
  readonly dropout?: boolean;
}

/** Name of a parameter's input. */
export function weightName(packed: string): string {
  return `weight.${packed}`;
}

const DROPOUT = "dropout.";

/** Name of the input bool [N, in] that says which inputs of a matrix's adapter are kept. */
export function dropoutName(packed: string): string {
  return `${DROPOUT}${packed}`;
}

/** The packed parameter of such an input; null for other inputs. */
export function droppedOf(input: string): string | null {
  return input.startsWith(DROPOUT) ? input.slice(DROPOUT.length) : null;
}

/** Parameters by packed name; `get` throws on a name the model has not. */
export class GraphWeights {
  readonly #stored = new Map<string, Value>();
  readonly #packed = new Map<string, PackedParameter>();
  readonly #adapter: Adapter | null;
  /** What of B stands where in the wide matrix of fused parts, by their sizes. */
  readonly #blocks = new Map<string, Value>();
  readonly #dropout: boolean;

  /** Adds every packed parameter, and those of an adapter, as an input `weight.<name>`, [out, in] for matrices. */
  constructor(
    readonly graph: Graph,
    { layout, adapter }: ParameterSource,
    { dtype = "float32", dropout = false }: Reading = {},
  ) {
    this.#adapter = adapter;
    this.#dropout = dropout && adapter !== null && adapter.dropout > 0;
    for (const packed of adapter ? [...adapter.base.packed, ...layout.packed] : layout.packed) {
      this.#packed.set(packed.name, packed);
      this.#stored.set(packed.name, graph.input(weightName(packed.name), { dtype, shape: packed.shape }));
    }
  }

  get(name: string): Value {
    const value = this.find(name);
    if (!value) {
      throw new RangeError(`Cannot use weight "${name}": the model has ${[...this.#stored.keys()].join(", ")}`);
    }
    return value;
  }
  /** The same, or null where the model has none (a bias, a q/k norm). */
  find(name: string): Value | null {
    return this.#stored.get(adapterParts(name).saved) ?? this.#stored.get(name) ?? null;
  }
  /** The parameter itself, whatever an adapter makes of it: what its gradient is taken by. */
  stored(name: string): Value {
    return this.#stored.get(name)!;
  }

  /**
   * y plus what the adapter adds to the product of x [.., in] with a matrix, y [.., out] itself where it has none.
   * `alpha` is the factor of the product.
   */
  adapted(name: string, x: Value, y: Value, alpha = 1): Value {
    const a = this.#stored.get(adapterParts(name).a);
    if (!this.#adapter || !a) return y;
    const kept = this.#kept(name, x), b = this.#wide(name), scaling = alpha * this.#adapter.scaling;
    if (x.rank === 2) {
      return kept.gemm(a, null, { transposeB: true }).gemm(b, y, { transposeB: true, alpha: scaling });
    }
    return y.add(kept.matmul(a, { transposeB: true }).matmul(b, { transposeB: true, alpha: scaling }));
  }

  /** True where the adapter of a matrix leaves out a share of its inputs, as an input of the graph says row by row. */
  drops(name: string): boolean {
    return this.#dropout && this.#stored.has(adapterParts(name).a);
  }

  /** x with a share of its numbers left out and the others as much larger. */
  #kept(name: string, x: Value): Value {
    if (!this.#dropout) return x;
    const keep = this.graph.input(dropoutName(name), { dtype: "bool", shape: x.shape });
    return keep.where(x.mul(1 / (1 - this.#adapter!.dropout)), 0);
  }

  /**
   * B [out, r·n] for the n adapted parts of a matrix, whose A lie one upon the other: that of a part stands in its own rows
   * and columns, zeros elsewhere, so that one product serves them all.
   */
  #wide(name: string): Value {
    const { parts } = this.#packed.get(name)!, { targets, rank } = this.#adapter!;
    const b = this.#stored.get(adapterParts(name).b)!;
    if (parts.length === 1) return b;
    const adapted = parts.filter((part) => targets.has(part.name));
    const own = adapted.length === 1 ? [b] : b.split(0, adapted.map(({ shape }) => shape[0]!));
    const all = adapted.length === parts.length ? b : stacked(
      parts.map((part) => own[adapted.indexOf(part)] ?? this.graph.zeros([part.shape[0]!, rank], b.dtype)),
      0,
    );
    if (adapted.length === 1) return all;
    const sizes = parts.map((part) => [part.shape[0]!, adapted.indexOf(part)] as const);
    return stacked(adapted.map(() => all), 1).mul(this.#block(sizes, rank, adapted.length).cast(b.dtype));
  }

  #block(sizes: readonly (readonly [rows: number, part: number])[], rank: number, count: number): Value {
    const key = JSON.stringify([sizes, rank]), width = rank * count;
    const known = this.#blocks.get(key);
    if (known) return known;
    const rows = sizes.flatMap(([size, part]) => Array<number>(size).fill(part));
    const data = Float32Array.from(
      { length: rows.length * width },
      (_, i) => Number(rows[Math.floor(i / width)] === Math.floor(i % width / rank)),
    );
    const block = this.graph.constant(data, [rows.length, width]);
    this.#blocks.set(key, block);
    return block;
  }
}

function stacked(values: readonly Value[], axis: number): Value {
  return values[0]!.concat(values.slice(1), axis);
}
