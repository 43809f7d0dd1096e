/** Rotary tables on the device, shared by all graphs and grown when a longer sequence comes. @module */
import type { Runtime, Tensor } from "../session.ts";
import type { ModelConfig } from "./config.ts";
import { ropeTables } from "./rope.ts";

export class RopeTensors {
  #kept: { positions: number; cos: Tensor; sin: Tensor } | null = null;

  constructor(readonly runtime: Runtime, readonly config: ModelConfig) {}

  /** cos and sin, float32 [positions, headDim / 2], of at least that many positions. */
  get(positions: number): { positions: number; cos: Tensor; sin: Tensor } {
    if (!this.#kept || this.#kept.positions < positions) {
      const rows = Math.max(256, 2 ** Math.ceil(Math.log2(positions)));
      const { cos, sin } = ropeTables(this.config, rows), shape = [rows, this.config.headDim / 2];
      const tensor = (data: Float32Array) => this.runtime.tensor("float32", shape, data);
      this.#kept = { positions: rows, cos: tensor(cos), sin: tensor(sin) };
    }
    return this.#kept;
  }
}
