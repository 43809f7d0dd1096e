/** Rotary tables on the device, shared by all graphs and grown when a longer sequence comes. @module */
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { type ModelConfig, rotaryDim } from "./config.ts";
import { ropeTables } from "./rope.ts";
import { ropeInputNames, ropesInUse } from "./rope_inputs.ts";

/** Tables of some sequence length, under the names of the graphs' inputs: cos and sin, float32 [positions, rotaryDim / 2]. */
export interface RopeTables {
  readonly positions: number;
  readonly tensors: Readonly<Record<string, Tensor>>;
}

const LEAST = 256; // Fewest positions of a table: short sequences of any length share it.

export class RopeTensors {
  /** By whether sequences are long: a rope may have other frequencies for them. */
  readonly #kept = new Map<boolean, RopeTables>();

  constructor(readonly runtime: Runtime, readonly config: ModelConfig) {}

  /** Tables of at least that many positions, for sequences up to `longFrom` or beyond. */
  get(positions: number, long = false): RopeTables {
    const kept = this.#kept.get(long);
    if (kept && kept.positions >= positions) return kept;
    const tables = this.#make(Math.max(LEAST, 2 ** Math.ceil(Math.log2(positions))), long);
    this.#kept.set(long, tables);
    return tables;
  }

  #make(positions: number, long: boolean): RopeTables {
    const { config, runtime } = this, shape = [positions, rotaryDim(config) / 2];
    const tensors = [...ropesInUse(config)].flatMap((name) => {
      const names = ropeInputNames(name);
      const { cos, sin } = ropeTables(config, positions, { local: name === "local", long });
      return [[names.cos, cos], [names.sin, sin]] as const;
    });
    const loaded = tensors.map(([name, data]) => [name, runtime.tensor("float32", shape, data)] as const);
    return { positions, tensors: Object.fromEntries(loaded) };
  }
}
