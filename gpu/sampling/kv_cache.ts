/** The KV cache: what it is per layer, how large, and the memory that holds it while rows are decoded. @module */
import type { ModelConfig } from "../models/config.ts";
import type { Dim } from "../onnx/dtype.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { cacheHeadDim } from "./head_padding.ts";
import type { Scope } from "./scope.ts";

type Sizes = Pick<ModelConfig, "layers" | "kvHeads" | "headDim" | "partialRotary">;

/** Names of a layer's cache tensors, one of keys and one of values, and of what replaces them. */
export function cacheNames({ layers }: Pick<Sizes, "layers">): { past: string; present: string }[] {
  const names = (layer: number) =>
    ["key", "value"].map((kind) => ({ past: `past.${layer}.${kind}`, present: `present.${layer}.${kind}` }));
  return Array.from({ length: layers }, (_, layer) => names(layer)).flat();
}

/** The shape of each of them, float32 [rows, K, capacity in tokens, cacheHeadDim]. */
export function cacheShape<Size extends Dim>(config: Sizes, rows: Size, capacity: Size): (Size | number)[] {
  return [rows, config.kvHeads, capacity, cacheHeadDim(config)];
}

/** Numbers in the cache of all layers. */
export function cacheSize(config: Sizes, rows: number, capacity: number): number {
  return 2 * config.layers * rows * config.kvHeads * capacity * cacheHeadDim(config);
}

/** Two arrays that hold the cache in turn: moving rows copies from one to the other. */
export class KvCache {
  #arrays: readonly [Tensor, Tensor] | null = null;
  #turn: 0 | 1 = 0;
  #rows = 0;
  #capacity = 0;

  constructor(readonly runtime: Runtime, readonly config: Sizes) {}

  /** Tokens that a row has room for. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Starts over with `rows` rows of `capacity` tokens; there is room for `most` rows. */
  begin(rows: number, capacity: number, most: number): void {
    const needed = cacheSize(this.config, most, capacity);
    if (!this.#arrays || this.#arrays[0].size < needed) {
      this.release();
      this.#arrays = [this.runtime.tensor("float32", [needed]), this.runtime.tensor("float32", [needed])];
    }
    [this.#turn, this.#rows, this.#capacity] = [0, rows, capacity];
  }

  /** The tensors of the rows there are, by past and present name. */
  tensors(scope: Scope): { past: Record<string, Tensor>; present: Record<string, Tensor> } {
    const past: Record<string, Tensor> = {}, present: Record<string, Tensor> = {};
    const shape = cacheShape(this.config, this.#rows, this.#capacity), size = shape.reduce((a, b) => a * b);
    for (const [i, names] of cacheNames(this.config).entries()) {
      past[names.past] = present[names.present] = scope.own(this.#arrays![this.#turn].view(shape, i * size));
    }
    return { past, present };
  }

  /** The same of one row alone. */
  row(row: number, scope: Scope): ReturnType<KvCache["tensors"]> {
    const past: Record<string, Tensor> = {}, present: Record<string, Tensor> = {};
    const shape = cacheShape(this.config, 1, this.#capacity), size = shape.reduce((a, b) => a * b);
    for (const [i, names] of cacheNames(this.config).entries()) {
      const view = scope.own(this.#arrays![this.#turn].view(shape, (i * this.#rows + row) * size));
      past[names.past] = present[names.present] = view;
    }
    return { past, present };
  }

  /** From here on `tensors` are of `rows` rows in the other array. */
  turn(rows: number): void {
    [this.#turn, this.#rows] = [this.#turn === 0 ? 1 : 0, rows];
  }

  release(): void {
    this.#arrays?.forEach((array) => array.release());
    this.#arrays = null;
  }
}
