/** Runs a small graph on given numbers, for tests. @module */
import { type DType, type TypedArray, typedArray } from "../../../gpu/onnx/dtype.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import type { Runtime } from "../../../gpu/session.ts";

export interface Feed {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly number[] | TypedArray;
}

/** Builds a graph over the feeds, runs it once, and returns each output as plain numbers. */
export async function evaluate(
  runtime: Runtime,
  feeds: Readonly<Record<string, Feed>>,
  build: (inputs: Record<string, Value>, graph: Graph) => Record<string, Value>,
): Promise<Record<string, number[]>> {
  const graph = new Graph();
  const inputs = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, graph.input(name, feed)]));
  const values = build(inputs, graph);
  for (const [name, value] of Object.entries(values)) graph.output(name, value);
  const tensors = Object.entries(feeds).map(([name, { dtype, shape, data }]) => {
    const array = Array.isArray(data) ? typedArray(dtype, data as number[]) : data as TypedArray;
    return [name, runtime.tensor(dtype, shape, array)] as const;
  });
  const outputs = Object.fromEntries(
    Object.entries(values).map(([name, { dtype, dims }]) => [name, runtime.tensor(dtype, dims)]),
  );
  const session = await runtime.session(encodeModel(graph), { optimization: "basic" });
  await session.bind(Object.fromEntries(tensors), outputs).run();
  session.release();
  return Object.fromEntries(
    Object.entries(outputs).map(([name, tensor]) => [name, Array.from(tensor.data as Float32Array, Number)]),
  );
}

/** Numbers in [low, high) that look random and never change. */
export function numbers(count: number, seed: number, low = -1, high = 1): number[] {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return Array.from({ length: count }, () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return low + (high - low) * (state / 2 ** 32);
  });
}

/** The largest absolute difference. */
export function distance(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new RangeError(`Cannot compare ${a.length} with ${b.length} numbers`);
  return a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i]!)), 0);
}
