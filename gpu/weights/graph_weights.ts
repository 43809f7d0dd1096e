/** The parameters of a model inside a graph: the only place where a graph reads one. @module */
import { blockOf, type BlockQuantized, blocksOf, gatherBlocks, matmulBlocks } from "../onnx/block_quantized.ts";
import type { TensorType } from "../onnx/dtype.ts";
import type { DType, Graph, Value } from "../onnx/graph.ts";
import { type Adapter, adapterParts, strengthOf } from "./adapter.ts";
import type { Layout, PackedParameter, Parameter } from "./layout.ts";
import type { Bits } from "./quantized.ts";

/** Which parameters there are. */
export interface ParameterSource {
  /** What may train: the model's own parameters, or those of its adapter. */
  readonly layout: Layout;
  /** Null = the parameters as they are stored. */
  readonly adapter: Adapter | null;
  /** Matrices of the frozen parameters, those beneath an adapter, are stored in so many bits; float32 where absent. */
  readonly bits?: Bits | null;
}

interface Reading {
  /** float32 where absent; float64 is for gradient checks. */
  readonly dtype?: DType;
  /** An adapter leaves out a share of its inputs, as draws say that are inputs of the graph. */
  readonly dropout?: boolean;
  /**
   * For sampling: matrices of few bits are constants of the session, whose products round their other side too. They are
   * several times as fast, and have no derivative.
   */
  readonly sampling?: boolean;
  /** Products of rows [N, in] as W·xᵀ: faster from some rows on, where a kernel packs what stands on the right. */
  readonly wide?: boolean;
}

/** Name of a parameter's input. */
export function weightName(packed: string): string {
  return `weight.${packed}`;
}

/** Name of the scales of a matrix that is stored in blocks. */
export function scalesName(packed: string): string {
  return `${weightName(packed)}.scales`;
}

const ROWS = ".rows";

/** Of the name of a matrix's blocks as a constant of flat rows, that of the matrix; null for other names. */
export function flatRowsOf(name: string): string | null {
  return name.endsWith(ROWS) ? name.slice(0, -ROWS.length) : null;
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
  /** Matrices of which some parts are copies. */
  readonly #joined = new Map<string, Value>();
  /** What of B stands where in the wide matrix of fused parts, by their sizes. */
  readonly #blocks = new Map<string, Value>();
  readonly #dropout: boolean;
  readonly #quantized = new Map<string, BlockQuantized>();
  readonly #reading: Reading;

  /** Adds every packed parameter, and those of an adapter, as an input `weight.<name>`, [out, in] for matrices. */
  constructor(
    readonly graph: Graph,
    { layout, adapter, bits = null }: ParameterSource,
    reading: Reading = {},
  ) {
    const { dtype = "float32", dropout = false } = reading, frozen = new Set((adapter?.base ?? layout).packed);
    this.#reading = reading;
    this.#adapter = adapter;
    this.#dropout = dropout && adapter !== null && adapter.dropout > 0;
    for (const packed of adapter ? [...adapter.base.packed, ...layout.packed] : layout.packed) {
      this.#packed.set(packed.name, packed);
      if (bits !== null && frozen.has(packed) && packed.shape.length === 2) this.#addQuantized(packed, bits);
      else this.#stored.set(packed.name, graph.input(weightName(packed.name), { dtype, shape: packed.shape }));
    }
  }

  /** Of what is computed with them, however they are stored. */
  get dtype(): DType {
    return this.#reading.dtype ?? "float32";
  }

  #addQuantized({ name, shape: [rows, width] }: PackedParameter, bits: Bits): void {
    const { graph } = this, blocks = blocksOf(width!, bits);
    const add = (name: string, type: TensorType) =>
      this.#reading.sampling ? graph.initializer(name, type) : graph.input(name, type);
    this.#quantized.set(name, {
      packed: add(weightName(name), { dtype: "uint8", shape: [rows!, blocks, blockOf(width!, bits) * bits / 8] }),
      scales: add(scalesName(name), { dtype: "float32", shape: [rows!, blocks] }),
      width: width!,
      bits,
    });
  }

  /** alpha · (x [.., in] · wᵀ + bias), w [out, in] of that name with its bias, without what an adapter adds. */
  product(name: string, x: Value, alpha = 1): Value {
    const w = this.find(name), bias = this.find(`${name}_bias`), quantized = this.#quantized.get(name);
    if ((w || !quantized) && x.rank === 2 && !this.#reading.wide) {
      return x.gemm(this.get(name), bias, { transposeB: true, alpha, beta: alpha });
    }
    const y = !w && quantized
      ? this.#withCopies(name, x, this.#byBlocks(x, quantized, alpha), alpha)
      : x.rank === 2
      ? this.get(name).matmul(x, { transposeB: true, alpha }).transpose([1, 0])
      : x.matmul(this.get(name), { transposeB: true, alpha });
    return bias ? y.add(alpha === 1 ? bias : bias.mul(alpha)) : y;
  }
  /** y, of a matrix that is rounded, with the products of the copies of some of its parts in place of theirs. */
  #withCopies(name: string, x: Value, y: Value, alpha: number): Value {
    const saved = this.#stored.get(adapterParts(name).saved);
    if (!saved) return y;
    const { parts } = this.#packed.get(name)!, copies = parts.filter((part) => this.#adapter!.saved.has(part.name));
    const rows = (of: readonly Parameter[]) => of.map(({ shape }) => shape[0]!), axis = y.rank - 1;
    const own = copies.length === 1 ? [saved] : saved.split(0, rows(copies)), base = y.split(axis, rows(parts));
    return stacked(
      parts.map((part, i) => {
        const at = copies.indexOf(part);
        return at < 0 ? base[i]! : x.matmul(own[at]!, { transposeB: true, alpha });
      }),
      axis,
    );
  }

  #byBlocks(x: Value, matrix: BlockQuantized, alpha: number): Value {
    const y = matmulBlocks(x, matrix, this.#reading.sampling ?? false);
    return alpha === 1 ? y : y.mul(alpha);
  }

  /** Rows of a matrix, one for each of `ids`: [.., in]. */
  rows(name: string, ids: Value): Value {
    const w = this.find(name), quantized = this.#quantized.get(name);
    if (w || !quantized) return this.get(name).gather(ids);
    return gatherBlocks(this.#reading.sampling ? this.#flat(name, quantized) : quantized, ids);
  }

  /** A second name for the same memory: of a constant, another shape would be a copy in every session. */
  #flat(name: string, matrix: BlockQuantized): BlockQuantized {
    const [rows, blocks, bytes] = matrix.packed.dims as [number, number, number];
    const type = { dtype: "uint8", shape: [rows, blocks * bytes] } as const;
    return { ...matrix, packed: this.graph.initializer(`${weightName(name)}${ROWS}`, type) };
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
    return this.#copied(name) ?? this.#stored.get(name) ?? null;
  }

  /** The copy that trains in a parameter's place; of a matrix of several parts, of which some have a copy, with the others. */
  #copied(name: string): Value | null {
    const saved = this.#stored.get(adapterParts(name).saved), parts = this.#packed.get(name)?.parts ?? [];
    const known = this.#joined.get(name), isCopied = ({ name }: Parameter) => this.#adapter!.saved.has(name);
    if (!saved || known || parts.every(isCopied)) return known ?? saved ?? null;
    if (this.#quantized.has(name)) return null; // Copies stand in for their part of the product.
    const rows = (of: readonly Parameter[]) => of.map(({ shape }) => shape[0]!);
    const copies = parts.filter(isCopied), base = this.#stored.get(name)!.split(0, rows(parts));
    const own = copies.length === 1 ? [saved] : saved.split(0, rows(copies));
    const joined = stacked(parts.map((part, i) => isCopied(part) ? own[copies.indexOf(part)]! : base[i]!), 0);
    this.#joined.set(name, joined);
    return joined;
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
    const kept = this.#kept(name, x), [b, factor] = this.#wide(name), scaling = alpha * factor;
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
   * B [out, Σr] for the adapted parts of a matrix, whose A lie one upon the other, and the factor of their product: B of a
   * part stands in its own rows and columns, zeros elsewhere, so that one product serves them all.
   */
  #wide(name: string): readonly [b: Value, factor: number] {
    const { parts } = this.#packed.get(name)!, adapter = this.#adapter!;
    const adapted = parts.filter((part) => adapter.targets.has(part.name));
    const strengths = adapted.map((part) => strengthOf(adapter, part.name)), { rank, scaling } = strengths[0]!;
    const even = strengths.every((own) => own.rank === rank && own.scaling === scaling);
    if (!even) return [this.#patched(name, parts, strengths), 1];
    const b = this.#stored.get(adapterParts(name).b)!;
    if (parts.length === 1) return [b, scaling];
    const own = adapted.length === 1 ? [b] : b.split(0, adapted.map(({ shape }) => shape[0]!));
    const all = adapted.length === parts.length ? b : stacked(
      parts.map((part) => own[adapted.indexOf(part)] ?? this.graph.zeros([part.shape[0]!, rank], b.dtype)),
      0,
    );
    if (adapted.length === 1) return [all, scaling];
    const sizes = parts.map((part) => [part.shape[0]!, adapted.indexOf(part)] as const);
    const wide = stacked(adapted.map(() => all), 1).mul(this.#block(sizes, rank, adapted.length).cast(b.dtype));
    return [wide, scaling];
  }

  /** The same where ranks or factors differ: each B by its own factor, with zeros on both sides. */
  #patched(name: string, parts: readonly Parameter[], strengths: readonly ReturnType<typeof strengthOf>[]): Value {
    const names = adapterParts(name), { targets } = this.#adapter!, width = sum(strengths.map(({ rank }) => rank));
    const adapted = parts.filter((part) => targets.has(part.name)), together = this.#stored.get(names.b);
    const own = together?.split(0, adapted.map(({ shape }) => shape[0]!)) ??
      adapted.map((_, i) => this.#stored.get(names.bOf(i))!);
    const rows = parts.map((part) => {
      const at = adapted.indexOf(part), outer = part.shape[0]!, { dtype } = own[0]!;
      if (at < 0) return this.graph.zeros([outer, width], dtype);
      const { rank, scaling } = strengths[at]!, before = sum(strengths.slice(0, at).map(({ rank }) => rank));
      const sides = [before, width - before - rank].map((n) => n > 0 ? [this.graph.zeros([outer, n], dtype)] : []);
      return stacked([...sides[0]!, own[at]!.mul(scaling), ...sides[1]!], 1);
    });
    return stacked(rows, 0);
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
  return values.length === 1 ? values[0]! : values[0]!.concat(values.slice(1), axis);
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
