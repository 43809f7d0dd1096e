/** The numbers of a model: every parameter in one array, its gradient in a second, each tensor a view of them. @module */
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { weightName } from "./graph_weights.ts";
import { type Layout, matchParameters } from "./layout.ts";

/** A Hugging Face tensor: float32, row-major. */
export interface NamedArray {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export class Weights {
  /** float32 [layout.size]; the padding between tensors is 0. */
  readonly values: Tensor;
  #gradients: Tensor | null = null;

  constructor(readonly runtime: Runtime, readonly layout: Layout) {
    this.values = runtime.tensor("float32", [layout.size]);
  }

  /** The gradient of every parameter, laid out alike; made when first asked for. */
  get gradients(): Tensor {
    return this.#gradients ??= this.runtime.tensor("float32", [this.layout.size]);
  }

  /**
   * Reads a checkpoint's tensors ([out, in] layout, exact). Throws a RangeError that names a tensor that is missing,
   * unknown or of another shape.
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
    const all = new Float32Array(this.layout.size);
    for (const { name, shape, offset } of this.layout.parameters) {
      const tensor = tensors.get(name);
      if (!tensor) throw new RangeError(`Cannot load weights: "${name}" is missing, want shape [${shape}]`);
      if (`${tensor.shape}` !== `${shape}`) {
        throw new RangeError(`Cannot load weights: "${name}" has shape [${tensor.shape}], want [${shape}]`);
      }
      all.set(tensor.data, offset);
    }
    this.values.upload(all);
  }

  /** Takes the values of another model of the same layout. */
  copyFrom(other: Weights): void {
    this.values.upload(other.values.download(new Float32Array(other.layout.size)));
  }

  /** Copies of every parameter under its checkpoint name. */
  toHuggingFace(): Map<string, NamedArray> {
    return this.#named(this.values);
  }
  /** The same of the gradient. */
  namedGradients(): Map<string, NamedArray> {
    return this.#named(this.gradients);
  }
  #named(of: Tensor): Map<string, NamedArray> {
    const all = of.download(new Float32Array(this.layout.size));
    return new Map(this.layout.parameters.map(({ name, shape, offset, size }) => [
      name,
      { shape, data: all.slice(offset, offset + size) },
    ]));
  }

  /**
   * Random initial values as transformers makes them: matrices normal with the layout's initializerRange, biases 0,
   * norms 1. `normals` gives standard normal numbers in the order of the arena, one per matrix element.
   */
  initialize(normals: (count: number) => Float32Array): void {
    const all = new Float32Array(this.layout.size);
    for (const { name, shape, offset, size } of this.layout.parameters) {
      if (shape.length === 2) {
        const draws = normals(size);
        for (let i = 0; i < size; i++) all[offset + i] = draws[i]! * this.layout.initializerRange;
      } else if (!name.endsWith(".bias")) all.fill(1, offset, offset + size);
    }
    this.values.upload(all);
  }

  /** Frees the arrays. */
  release(): void {
    this.values.release();
    this.#gradients?.release();
  }

  /** Which parameters patterns choose: see `Trainable`. Throws when a pattern matches nothing. */
  trainable(patterns: readonly string[] = ["*"]): Trainable {
    return trainableOf(this.layout, patterns);
  }
}

/** The inputs `weight.<name>` of every graph: views, to be released by whoever asked. */
export function weightInputs({ layout, values }: Weights): Record<string, Tensor> {
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
