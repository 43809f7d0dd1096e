/** Runs a small graph once on the CPU, for tests of graph pieces. @module */
import type { DType, Graph, TypedArray } from "../../gpu/onnx/graph.ts";
import { encodeModel } from "../../gpu/onnx/proto.ts";
import { openRuntime } from "../../gpu/session.ts";

export interface Fed {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: TypedArray;
}

export function floats(shape: readonly number[], values: Iterable<number>): Fed {
  return { dtype: "float32", shape, data: Float32Array.from(values) };
}
export function doubles(shape: readonly number[], values: Iterable<number>): Fed {
  return { dtype: "float64", shape, data: Float64Array.from(values) };
}

/** Shapes of outputs are the caller's: symbolic ones cannot be known. */
export async function runGraph(
  graph: Graph,
  inputs: Readonly<Record<string, Fed>>,
  shapes: Readonly<Record<string, readonly number[]>>,
): Promise<Record<string, number[]>> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const session = await runtime.session(encodeModel(graph), { optimization: "basic" });
  const fed = Object.fromEntries(
    Object.entries(inputs).map(([name, { dtype, shape, data }]) => [name, runtime.tensor(dtype, shape, data)]),
  );
  const got = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const { dtype } = graph.outputs.find((value) => value.name === name)!;
      return [name, runtime.tensor(dtype, shape)];
    }),
  );
  await session.bind(fed, got).run();
  const result = Object.fromEntries(
    Object.entries(got).map(([name, tensor]) => [name, Array.from(tensor.data as ArrayLike<number | bigint>, Number)]),
  );
  for (const tensor of [...Object.values(fed), ...Object.values(got)]) tensor.release();
  session.release();
  runtime.release();
  return result;
}
