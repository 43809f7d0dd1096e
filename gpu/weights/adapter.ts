/** The hook of low-rank adapters: what a graph computes with where it reads a parameter. @module */
import type { Graph, Value } from "../onnx/graph.ts";
import type { Tensor } from "../ort/runtime.ts";

export interface Adapter {
  /** What a graph sees of a parameter: `stored` itself, or a value made of it and of inputs that it adds to the graph. */
  readonly adapt: (graph: Graph, packed: string, stored: Value) => Value;
  /** The tensors of those inputs, by name; every graph of the model reads the same ones. */
  readonly inputs: Readonly<Record<string, Tensor>>;
}
