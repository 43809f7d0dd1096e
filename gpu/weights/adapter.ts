/** The hook of low-rank adapters: what a graph computes with where it reads a parameter. @module */
import type { Graph, Value } from "../onnx/graph.ts";
import { typedArray } from "../onnx/dtype.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";

export interface Adapter {
  /** What a graph sees of a parameter: `stored` itself, or a value made of it and of inputs that it adds to the graph. */
  readonly adapt: (graph: Graph, packed: string, stored: Value) => Value;
  /** The tensors of those inputs, by name; every graph of the model reads the same ones. Released with the weights. */
  readonly inputs: Readonly<Record<string, Tensor>>;
}

/** The same with tensors of its own. */
export function copyAdapter(runtime: Runtime, { adapt, inputs }: Adapter): Adapter {
  const copies = Object.entries(inputs).map(([name, tensor]) => {
    const { dtype, shape, size } = tensor;
    return [name, runtime.tensor(dtype, shape, tensor.download(typedArray(dtype, size)))];
  });
  return { adapt, inputs: Object.fromEntries(copies) };
}
