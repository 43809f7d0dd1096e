/** The parameters of a model inside a graph: the only place where a graph reads one. @module */
import type { DType, Graph, Value } from "../onnx/graph.ts";
import type { Adapter } from "./adapter.ts";
import type { Layout } from "./layout.ts";

/** Which parameters there are, and what a graph sees of them. */
export interface ParameterSource {
  readonly layout: Layout;
  /** Null = the parameters as they are stored. */
  readonly adapter: Adapter | null;
}

/** Name of a parameter's input. */
export function weightName(packed: string): string {
  return `weight.${packed}`;
}

/** Parameters by packed name; `get` throws on a name the model has not. */
export class GraphWeights {
  readonly #stored = new Map<string, Value>();
  readonly #seen = new Map<string, Value>();

  /** Adds every packed parameter as an input `weight.<name>`, [out, in] for matrices. */
  constructor(graph: Graph, { layout, adapter }: ParameterSource, dtype: DType = "float32") {
    for (const { name, shape } of layout.packed) {
      const stored = graph.input(weightName(name), { dtype, shape });
      this.#stored.set(name, stored);
      this.#seen.set(name, adapter ? adapter.adapt(graph, name, stored) : stored);
    }
  }
  get(name: string): Value {
    const value = this.#seen.get(name);
    if (!value) {
      throw new RangeError(`Cannot use weight "${name}": the model has ${[...this.#seen.keys()].join(", ")}`);
    }
    return value;
  }
  /** The same, or null where the model has none (a bias, a q/k norm). */
  find(name: string): Value | null {
    return this.#seen.get(name) ?? null;
  }
  /** The parameter itself, whatever an adapter makes of it: what its gradient is taken by. */
  stored(name: string): Value {
    return this.#stored.get(name)!;
  }
}
