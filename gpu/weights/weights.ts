/** The numbers of a model: every parameter in one array, its gradient in a second, each tensor a view of them. @module */
import { numbersOf } from "../ort/numbers.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { weightName } from "./graph_weights.ts";
import { initialRange, type Layout, matchParameters, type Parameter, requireTensors, storedShape } from "./layout.ts";
import { type Bits, quantizedBytes, QuantizedMatrices } from "./quantized.ts";

/** A Hugging Face tensor: float32, row-major. */
export interface NamedArray {
  readonly shape: readonly number[];
  /** May be read or computed when it is asked for, a fresh array each time. */
  readonly data: Float32Array;
  /** Where there is a way without a copy of all values: writes as many as there is room for, from element `from` on. */
  read?(into: Float32Array, from: number): void;
}

/** Elements in a piece of memory on the way to a device that JavaScript cannot write to. */
const STAGED = 1 << 22;

export class Weights {
  /** float32 [layout.size], the padding between tensors 0; where matrices have few bits, the vectors alone. */
  readonly values: Tensor;
  /** The matrices where they are stored in few bits: then nothing trains. */
  readonly quantized: QuantizedMatrices | null;
  #gradients: Tensor | null = null;
  /** Models that read these numbers. */
  #holders = 1;
  #version = 0;

  constructor(readonly runtime: Runtime, readonly layout: Layout, bits: Bits | null = null, vectors?: Tensor) {
    this.quantized = bits === null ? null : new QuantizedMatrices(runtime, layout, bits);
    this.values = vectors ?? runtime.tensor("float32", [layout.size - (bits === null ? 0 : layout.matrixSize)]);
    const bytes = bits === null ? 4 * layout.size : quantizedBytes(layout, bits);
    runtime.budget?.hold(this, () => bytes);
  }

  /** Matrices of few bits, whose numbers are 0, with the very vectors of weights that are float32. */
  static beside({ runtime, layout, values }: Weights, bits: Bits): Weights {
    return new Weights(runtime, layout, bits, values.view([layout.size - layout.matrixSize], layout.matrixSize));
  }

  /** Another number whenever the values are others. */
  get version(): number {
    return this.#version;
  }
  /** To be called by what changes the values in place. */
  changed(): void {
    this.#version++;
  }
  /** Takes all values, as they lie in `values`. */
  upload(values: Float32Array): void {
    this.values.upload(values);
    this.changed();
  }

  /** Of a matrix's numbers; null = float32. */
  get bits(): Bits | null {
    return this.quantized?.bits ?? null;
  }

  /** The gradient of every parameter, laid out alike; made when first asked for. */
  get gradients(): Tensor {
    if (this.quantized) throw new TypeError(`Cannot train weights of int${this.bits}: want float32, or an adapter`);
    return this.#gradients ??= this.runtime.tensor("float32", [this.layout.size]);
  }

  /**
   * Reads a checkpoint's tensors ([out, in] layout, exact). Throws a RangeError that names a tensor that is missing,
   * unknown or of another shape, before it reads any.
   */
  fromHuggingFace(tensors: ReadonlyMap<string, NamedArray>): void {
    requireTensors(this.layout, tensors);
    for (const parameter of this.layout.parameters) this.#take(parameter, tensors.get(parameter.name)!);
    this.changed();
  }

  /** One tensor after another, in pieces: what is loaded is never there twice. */
  #take(parameter: Parameter, tensor: NamedArray): void {
    const { size } = parameter, offset = this.#offset(parameter);
    if (this.quantized && parameter.shape.length === 2) return this.#round(this.quantized, parameter, tensor);
    const host = this.runtime.device === "cpu"
      ? this.values.data.subarray(offset, offset + size) as Float32Array
      : null;
    if (host && tensor.read) return tensor.read(host, 0);
    const data = tensor.read ? null : tensor.data;
    if (host) return host.set(data!);
    for (let done = 0; done < size; done += STAGED) {
      const count = Math.min(STAGED, size - done),
        piece = data?.subarray(done, done + count) ?? new Float32Array(count);
      if (!data) tensor.read!(piece, done);
      const view = this.values.view([count], offset + done);
      view.upload(piece);
      view.release();
    }
  }

  /** A matrix in pieces of whole rows, so that it is never there as float32. */
  #round(quantized: QuantizedMatrices, parameter: Parameter, tensor: NamedArray): void {
    const { size, shape: [, width] } = parameter, rows = Math.max(1, Math.floor(STAGED / width!));
    const data = tensor.read ? null : tensor.data;
    for (let done = 0; done < size; done += rows * width!) {
      const count = Math.min(rows * width!, size - done);
      const piece = data?.subarray(done, done + count) ?? new Float32Array(count);
      if (!data) tensor.read!(piece, done);
      quantized.write(parameter, piece, done);
    }
  }

  /** Of a vector, or of any parameter where all is float32: its first element in `values`. */
  #offset({ offset }: Parameter): number {
    return offset - (this.quantized ? this.layout.matrixSize : 0);
  }

  /** Takes the values of another model of the same layout. */
  copyFrom(other: Weights): void {
    if (this.quantized || other.quantized) throw new TypeError("Cannot copy weights of few bits: they are shared");
    this.upload(numbersOf(other.runtime, other.values));
  }

  /** Copies of every parameter under its checkpoint name. */
  toHuggingFace(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.values), (part) => part.slice());
  }
  /** The same without copies where the memory can be read: they change when the weights do. */
  viewHuggingFace(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.values), (part) => part);
  }
  /** All bits, one array after another: what tells these weights from others. */
  *words(): Generator<Uint32Array> {
    if (this.quantized) yield* this.quantized.words();
    for (const tensor of this.viewHuggingFace().values()) {
      if (this.quantized && tensor.shape.length > 1) continue;
      const { data } = tensor;
      yield new Uint32Array(data.buffer, data.byteOffset, data.length);
    }
  }
  /** Copies of every parameter's gradient. */
  namedGradients(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.gradients), (part) => part.slice());
  }
  #named(all: Float32Array, of: (part: Float32Array) => Float32Array): Map<string, NamedArray> {
    const { quantized } = this;
    return new Map(this.layout.parameters.map((parameter) => {
      const { name, size } = parameter, from = this.#offset(parameter);
      if (quantized && parameter.shape.length === 2) return [name, restored(quantized, parameter)];
      return [name, { shape: storedShape(parameter), data: of(all.subarray(from, from + size)) }];
    }));
  }

  /**
   * Random initial values as transformers makes them: matrices normal with the layout's initializerRange, biases 0,
   * norms where they multiply by 1. `normals` gives standard normal numbers in the order of the arena, one per matrix element.
   */
  initialize(normals: (count: number) => Float32Array): void {
    const all = this.runtime.device === "cpu"
      ? (this.values.data as Float32Array).fill(0)
      : new Float32Array(this.values.size);
    for (const parameter of this.layout.parameters) {
      const { name, shape, size } = parameter, offset = this.#offset(parameter);
      if (shape.length === 2) {
        const draws = normals(size), range = initialRange(this.layout, name);
        if (this.quantized) this.quantized.write(parameter, draws.map((x) => x * range), 0);
        else for (let i = 0; i < size; i++) all[offset + i] = draws[i]! * range;
      } else if (!name.endsWith(".bias")) all.fill(this.layout.initialNorm, offset, offset + size);
    }
    if (all !== this.values.data) this.values.upload(all);
    this.changed();
  }

  /** The same numbers for one model more: they are freed when the last one lets go of them. */
  hold(): this {
    this.#holders++;
    return this;
  }

  /** Lets go of the arrays; the last holder frees them. */
  release(): void {
    if (--this.#holders > 0) return;
    this.runtime.budget?.letGo(this);
    this.values.release();
    this.quantized?.release();
    this.#gradients?.release();
  }

  /** Which parameters patterns choose: see `Trainable`. Throws when a pattern matches nothing. */
  trainable(patterns: readonly string[] = ["*"]): Trainable {
    return trainableOf(this.layout, patterns);
  }
}

/** The inputs `weight.<name>` of every graph, those of `layout`: views, to be released by whoever asked. */
export function weightInputs(
  { values, layout: all, quantized }: Pick<Weights, "values" | "layout" | "quantized">,
  layout: Pick<Layout, "packed"> = all,
): Record<string, Tensor> {
  const floats = layout.packed.filter(({ shape }) => !quantized || shape.length !== 2);
  const before = quantized ? all.matrixSize : 0, matrices = Object.entries(quantized?.tensors(layout) ?? {});
  return Object.fromEntries([
    ...matrices.map(([name, tensor]): [string, Tensor] => [name, tensor.view(tensor.shape)]),
    ...floats.map(({ name, shape, offset }): [string, Tensor] => [
      weightName(name),
      values.view(shape, offset - before),
    ]),
  ]);
}

/** A matrix of few bits as float32, whenever it is asked for. */
function restored(quantized: QuantizedMatrices, parameter: Parameter): NamedArray {
  return {
    shape: storedShape(parameter),
    get data() {
      return quantized.read(parameter);
    },
  };
}

/** What an update may change. */
export interface Trainable {
  /** Checkpoint names. */
  readonly names: ReadonlySet<string>;
  /** Packed tensors of which at least a part trains: those whose gradient is computed. */
  readonly packed: ReadonlySet<string>;
  /** float32 [layout.size], 1 where trainable; null when everything is. */
  readonly mask: Float32Array | null;
  /** Parameters that train. */
  readonly count: number;
}

function trainableOf(layout: Layout, patterns: readonly string[]): Trainable {
  const names = matchParameters(layout, patterns);
  const packed = new Set(
    layout.packed.filter(({ parts }) => parts.some(({ name }) => names.has(name))).map((p) => p.name),
  );
  const chosen = layout.parameters.filter(({ name }) => names.has(name));
  const count = chosen.reduce((sum, { size }) => sum + size, 0);
  if (chosen.length === layout.parameters.length) return { names, packed, mask: null, count };
  const mask = new Float32Array(layout.size);
  for (const { offset, size } of chosen) mask.fill(1, offset, offset + size);
  return { names, packed, mask, count };
}
