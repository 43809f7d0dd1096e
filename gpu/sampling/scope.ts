/** Releases together what was made together: tensors, views and bound runs of one sampling pass. @module */
import type { DType, TypedArray } from "../onnx/dtype.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";

export class Scope {
  readonly #owned: { release(): void }[] = [];

  constructor(readonly runtime: Runtime) {}

  /** Registers something to be released with the scope. */
  own<Releasable extends { release(): void }>(thing: Releasable): Releasable {
    this.#owned.push(thing);
    return thing;
  }
  /** A tensor that JavaScript reads and writes in place. */
  host(dtype: DType, shape: readonly number[], data?: TypedArray): Tensor {
    return this.own(this.runtime.tensor(dtype, shape, data, { place: "host" }));
  }
  release(): void {
    for (const thing of this.#owned.reverse()) thing.release();
    this.#owned.length = 0;
  }
}
