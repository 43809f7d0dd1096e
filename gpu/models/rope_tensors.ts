/** Rotary tables on the device, shared by all graphs and grown when a longer sequence comes. @module */
import type { Runtime, Tensor } from "../ort/runtime.ts";
import type { ModelConfig } from "./config.ts";
import { ropeTables } from "./rope.ts";

/** cos and sin, float32 [positions, headDim / 2]. */
export interface RopeTables {
  readonly positions: number;
  readonly cos: Tensor;
  readonly sin: Tensor;
}

const LEAST = 256; // Fewest positions of a table: short sequences of any length share it.

export class RopeTensors {
  #kept: RopeTables | null = null;

  constructor(readonly runtime: Runtime, readonly config: ModelConfig) {}

  /** Tables of at least that many positions. */
  get(positions: number): RopeTables {
    if (!this.#kept || this.#kept.positions < positions) {
      const rows = Math.max(LEAST, 2 ** Math.ceil(Math.log2(positions)));
      const { cos, sin } = ropeTables(this.config, rows), shape = [rows, this.config.headDim / 2];
      const tensor = (data: Float32Array) => this.runtime.tensor("float32", shape, data);
      this.#kept = { positions: rows, cos: tensor(cos), sin: tensor(sin) };
    }
    return this.#kept;
  }
}
