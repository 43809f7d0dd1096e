/** The moments of every parameter, as float32 or as one byte each: where an update reads and writes them, and a checkpoint. @module */
import type { Graph, Value } from "../onnx/graph.ts";
import { numbersOf } from "../ort/numbers.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { BLOCK, CODES, decoded, ditherRamp, encoded, type Moment, paddedSize, stepOf } from "./block_codes.ts";

export const OPTIMIZER_STATES = ["float32", "int8"] as const;
export type OptimizerStateKind = (typeof OPTIMIZER_STATES)[number];

/** Bytes of both moments of so many parameters. */
export function momentBytes(kind: OptimizerStateKind, parameters: number): number {
  return kind === "int8" ? parameters * (2 + 8 / BLOCK) : 8 * parameters;
}

/** A part of the arrays that an update graph takes at once. */
export interface Range {
  readonly offset: number;
  readonly size: number;
}

/** What a checkpoint holds of moments: finite float32, or codes; on the CPU views of live memory. */
export type SavedMoments = ReadonlyMap<string, Float32Array | Uint8Array>;

export interface Moments {
  readonly kind: OptimizerStateKind;
  /** What they take of memory. */
  readonly bytes: number;
  /** Tensors of a slice by the names of `momentValues`; outputs are the same memory. */
  bound(slice: Range): { readonly inputs: Record<string, Tensor>; readonly outputs: Record<string, Tensor> };
  /** m and v of a range as float32 [size]; what is made for it goes with `release`. */
  floats(range: Range): { readonly m: Tensor; readonly v: Tensor; readonly release: () => void };
  save(): SavedMoments;
  /** Restores bitwise what `save` gave; throws a RangeError for what is missing or of another size. */
  restore(saved: SavedMoments): void;
  reset(): void;
  release(): void;
}

const MOMENTS: readonly Moment[] = ["m", "v"];

/** Moments of `size` numbers that an update takes slice by slice. */
export function makeMoments(
  runtime: Runtime,
  kind: OptimizerStateKind,
  size: number,
  slices: readonly Range[],
): Moments {
  return kind === "int8" ? new CodedMoments(runtime, size, slices) : new FloatMoments(runtime, size);
}

/** Declares the moments of a slice in an update graph, and what stands for their new values; `open` as in `updateGraph`. */
export function momentValues(graph: Graph, kind: OptimizerStateKind, size: number | "N") {
  if (kind === "float32" || size === "N") {
    const read = (name: string) => graph.input(name, { dtype: "float32", shape: [size] });
    const [m, v] = [read("m"), read("v")];
    return {
      m,
      v,
      write(_open: Value, m: Value, v: Value) {
        graph.output("new_m", m);
        graph.output("new_v", v);
      },
    };
  }
  const padded = paddedSize(size);
  const read = (moment: Moment) => ({
    codes: graph.input(`${moment}.codes`, { dtype: "uint8", shape: [padded] }),
    scales: graph.input(`${moment}.scales`, { dtype: "float32", shape: [padded / BLOCK] }),
  });
  const before = { m: read("m"), v: read("v") };
  const ramp = graph.input("ramp", { dtype: "float32", shape: [padded] });
  const shifted = ramp.add(graph.input("dither", { dtype: "float32", shape: [1] }));
  const dither = shifted.sub(shifted.greaterOrEqual(1).cast("float32"));
  return {
    m: decoded(before.m, "m", size),
    v: decoded(before.v, "v", size),
    write(open: Value, m: Value, v: Value) {
      for (const [moment, value] of [["m", m], ["v", v]] as const) {
        const { codes, scales } = encoded(value, moment, dither);
        graph.output(`new_${moment}.codes`, open.where(codes, before[moment].codes));
        graph.output(`new_${moment}.scales`, open.where(scales, before[moment].scales));
      }
    },
  };
}

class FloatMoments implements Moments {
  readonly kind = "float32";
  readonly #of: Readonly<Record<Moment, Tensor>>;

  constructor(readonly runtime: Runtime, readonly size: number) {
    this.#of = { m: runtime.tensor("float32", [size]), v: runtime.tensor("float32", [size]) };
  }
  get bytes(): number {
    return momentBytes(this.kind, this.size);
  }
  bound({ offset, size }: Range) {
    const [m, v] = MOMENTS.map((name) => this.#of[name].view([size], offset)) as [Tensor, Tensor];
    return { inputs: { m, v }, outputs: { new_m: m, new_v: v } };
  }
  floats({ offset, size }: Range) {
    const [m, v] = MOMENTS.map((name) => this.#of[name].view([size], offset)) as [Tensor, Tensor];
    return { m, v, release: () => [m, v].forEach((tensor) => tensor.release()) };
  }
  save(): SavedMoments {
    return new Map(MOMENTS.map((name) => [name, numbersOf(this.runtime, this.#of[name])]));
  }
  restore(saved: SavedMoments): void {
    for (const name of MOMENTS) this.#of[name].upload(savedArray(saved, name, this.size, Float32Array));
  }
  reset(): void {
    for (const name of MOMENTS) this.#of[name].upload(new Float32Array(this.size));
  }
  release(): void {
    for (const name of MOMENTS) this.#of[name].release();
  }
}

/** What each code stands for, as a share of its block's scale. */
const SHARES = Object.fromEntries(MOMENTS.map((moment) => {
  const { zero, steps } = CODES[moment], step = stepOf(moment);
  const share = (_: unknown, code: number) => {
    const place = code - zero;
    return Math.sign(place) * Math.exp((Math.abs(place) - steps) * step);
  };
  return [moment, Float64Array.from({ length: 256 }, share)];
})) as Readonly<Record<Moment, Float64Array>>;
const BLOCK_BITS = Math.log2(BLOCK);

class CodedMoments implements Moments {
  readonly kind = "int8";
  readonly #codes: Readonly<Record<Moment, Tensor>>;
  readonly #scales: Readonly<Record<Moment, Tensor>>;
  readonly #ramp: Tensor;
  /** Where the codes of each slice begin, by its offset. */
  readonly #starts = new Map<number, number>();
  readonly #padded: number;

  constructor(readonly runtime: Runtime, readonly size: number, readonly slices: readonly Range[]) {
    let padded = 0;
    for (const { offset, size } of slices) {
      this.#starts.set(offset, padded);
      padded += paddedSize(size);
    }
    this.#padded = padded;
    const codes = () => runtime.tensor("uint8", [padded]), scales = () => runtime.tensor("float32", [padded / BLOCK]);
    this.#codes = { m: codes(), v: codes() };
    this.#scales = { m: scales(), v: scales() };
    const ramp = Math.max(...slices.map(({ size }) => paddedSize(size)), BLOCK);
    this.#ramp = runtime.tensor("float32", [ramp], ditherRamp(ramp));
    this.reset();
  }
  get bytes(): number {
    return momentBytes(this.kind, this.#padded);
  }
  bound({ offset, size }: Range) {
    const padded = paddedSize(size), at = this.#starts.get(offset)!;
    const inputs: Record<string, Tensor> = { ramp: this.#ramp.view([padded]) }, outputs: Record<string, Tensor> = {};
    for (const name of MOMENTS) {
      inputs[`${name}.codes`] = outputs[`new_${name}.codes`] = this.#codes[name].view([padded], at);
      inputs[`${name}.scales`] = outputs[`new_${name}.scales`] = this.#scales[name].view([padded / BLOCK], at / BLOCK);
    }
    return { inputs, outputs };
  }
  floats(range: Range) {
    const [m, v] = MOMENTS.map((name) => this.runtime.tensor("float32", [range.size], this.#decode(name, range))) as [
      Tensor,
      Tensor,
    ];
    return { m, v, release: () => [m, v].forEach((tensor) => tensor.release()) };
  }
  #decode(moment: Moment, { offset, size }: Range): Float32Array {
    const { codes, scales } = this.#read(moment), shares = SHARES[moment], found = new Float32Array(size);
    for (const slice of this.slices) {
      const first = Math.max(slice.offset, offset), end = Math.min(slice.offset + slice.size, offset + size);
      const to = this.#starts.get(slice.offset)! - slice.offset;
      for (let i = first; i < end; i++) found[i - offset] = shares[codes[i + to]!]! * scales[(i + to) >> BLOCK_BITS]!;
    }
    return found;
  }
  #read(moment: Moment) {
    return {
      codes: numbersOf<Uint8Array>(this.runtime, this.#codes[moment]),
      scales: numbersOf(this.runtime, this.#scales[moment]),
    };
  }
  save(): SavedMoments {
    return new Map(MOMENTS.flatMap((name): [string, Float32Array | Uint8Array][] => {
      const { codes, scales } = this.#read(name);
      return [[`${name}.codes`, codes], [`${name}.scales`, scales]];
    }));
  }
  restore(saved: SavedMoments): void {
    for (const name of MOMENTS) {
      this.#codes[name].upload(savedArray(saved, `${name}.codes`, this.#padded, Uint8Array));
      this.#scales[name].upload(savedArray(saved, `${name}.scales`, this.#padded / BLOCK, Float32Array));
    }
  }
  reset(): void {
    for (const name of MOMENTS) {
      this.#codes[name].upload(new Uint8Array(this.#padded).fill(CODES[name].zero));
      this.#scales[name].upload(new Float32Array(this.#padded / BLOCK));
    }
  }
  release(): void {
    for (const tensor of [...Object.values(this.#codes), ...Object.values(this.#scales), this.#ramp]) tensor.release();
  }
}

function savedArray<Kind extends Float32Array | Uint8Array>(
  saved: SavedMoments,
  name: string,
  size: number,
  kind: abstract new (...given: never[]) => Kind,
): Kind {
  const array = saved.get(name);
  if (array instanceof kind && array.length === size) return array;
  throw new RangeError(
    `Cannot restore the optimizer: its state has ${
      array ? `${array.length} numbers` : "nothing"
    } of "${name}", want ${size}`,
  );
}
