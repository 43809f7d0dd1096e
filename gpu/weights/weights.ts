/** The numbers of a model: every parameter in one array, its gradient in a second, each tensor a view of them. @module */
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { weightName } from "./graph_weights.ts";
import { type Layout, matchParameters, type Parameter } from "./layout.ts";

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
  /** float32 [layout.size]; the padding between tensors is 0. */
  readonly values: Tensor;
  #gradients: Tensor | null = null;
  /** Models that read these numbers. */
  #holders = 1;

  constructor(readonly runtime: Runtime, readonly layout: Layout) {
    this.values = runtime.tensor("float32", [layout.size]);
  }

  /** The gradient of every parameter, laid out alike; made when first asked for. */
  get gradients(): Tensor {
    return this.#gradients ??= this.runtime.tensor("float32", [this.layout.size]);
  }

  /**
   * Reads a checkpoint's tensors ([out, in] layout, exact). Throws a RangeError that names a tensor that is missing,
   * unknown or of another shape, before it reads any.
   */
  fromHuggingFace(tensors: ReadonlyMap<string, NamedArray>): void {
    const known = new Map(this.layout.parameters.map((parameter) => [parameter.name, parameter]));
    for (const name of tensors.keys()) {
      if (known.has(name) || this.layout.repeated.includes(name)) continue;
      if (name.endsWith("rotary_emb.inv_freq")) continue;
      throw new RangeError(
        `Cannot load weights: "${name}" is not a parameter of this model, want ${[...known.keys()].join(", ")}`,
      );
    }
    for (const { name, shape } of this.layout.parameters) {
      const tensor = tensors.get(name);
      if (!tensor) throw new RangeError(`Cannot load weights: "${name}" is missing, want shape [${shape}]`);
      if (`${tensor.shape}` !== `${shape}`) {
        throw new RangeError(`Cannot load weights: "${name}" has shape [${tensor.shape}], want [${shape}]`);
      }
    }
    for (const parameter of this.layout.parameters) this.#take(parameter, tensors.get(parameter.name)!);
  }

  /** One tensor after another, in pieces: what is loaded is never there twice. */
  #take({ size, offset }: Parameter, tensor: NamedArray): void {
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

  /** Takes the values of another model of the same layout. */
  copyFrom(other: Weights): void {
    this.values.upload(numbersOf(other.runtime, other.values));
  }

  /** Copies of every parameter under its checkpoint name. */
  toHuggingFace(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.values), (part) => part.slice());
  }
  /** The same without copies where the memory can be read: they change when the weights do. */
  viewHuggingFace(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.values), (part) => part);
  }
  /** Copies of every parameter's gradient. */
  namedGradients(): Map<string, NamedArray> {
    return this.#named(numbersOf(this.runtime, this.gradients), (part) => part.slice());
  }
  #named(all: Float32Array, of: (part: Float32Array) => Float32Array): Map<string, NamedArray> {
    return new Map(this.layout.parameters.map(({ name, shape, offset, size }) => [
      name,
      { shape, data: of(all.subarray(offset, offset + size)) },
    ]));
  }

  /**
   * Random initial values as transformers makes them: matrices normal with the layout's initializerRange, biases 0,
   * norms where they multiply by 1. `normals` gives standard normal numbers in the order of the arena, one per matrix element.
   */
  initialize(normals: (count: number) => Float32Array): void {
    const all = this.runtime.device === "cpu"
      ? (this.values.data as Float32Array).fill(0)
      : new Float32Array(this.layout.size);
    for (const { name, shape, offset, size } of this.layout.parameters) {
      if (shape.length === 2) {
        const draws = normals(size);
        for (let i = 0; i < size; i++) all[offset + i] = draws[i]! * this.layout.initializerRange;
      } else if (!name.endsWith(".bias")) all.fill(this.layout.initialNorm, offset, offset + size);
    }
    if (all !== this.values.data) this.values.upload(all);
  }

  /** The same numbers for one model more: they are freed when the last one lets go of them. */
  hold(): this {
    this.#holders++;
    return this;
  }

  /** Lets go of the arrays; the last holder frees them. */
  release(): void {
    if (--this.#holders > 0) return;
    this.values.release();
    this.#gradients?.release();
  }

  /** Which parameters patterns choose: see `Trainable`. Throws when a pattern matches nothing. */
  trainable(patterns: readonly string[] = ["*"]): Trainable {
    return trainableOf(this.layout, patterns);
  }
}

/** The memory itself where it can be read, else a copy. */
function numbersOf({ device }: Runtime, tensor: Tensor): Float32Array {
  if (device === "cpu") return tensor.data as Float32Array;
  return tensor.download(new Float32Array(tensor.size));
}

/** The inputs `weight.<name>` of every graph, those of `layout`: views, to be released by whoever asked. */
export function weightInputs(
  { values, layout: all }: Pick<Weights, "values" | "layout">,
  layout: Pick<Layout, "packed"> = all,
): Record<string, Tensor> {
  return Object.fromEntries(
    layout.packed.map(({ name, shape, offset }) => [weightName(name), values.view(shape, offset)]),
  );
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
