/**
 * The fp32 MatMul rate of ONNX Runtime on this machine: what a train step is measured against.
 *
 *     deno task bench matmul -- [--size 1024] [--threads 2] [--spinning 1]
 * @module
 */
import { Graph } from "../../gpu/onnx/graph.ts";
import { encodeModel } from "../../gpu/onnx/proto.ts";
import { openRuntime, type Runtime } from "../../gpu/session.ts";
import { emit, options, timed } from "./rows.ts";

/** The best of 15 products of square matrices that are inputs, GFLOP/s. */
export async function matmulCeiling(runtime: Runtime, size: number): Promise<number> {
  const graph = new Graph({ provider: "cpu" }), matrix = { dtype: "float32", shape: [size, size] } as const;
  graph.output("y", graph.input("a", matrix).matmul(graph.input("b", matrix)));
  const session = await runtime.session(encodeModel(graph), { name: "matmul", optimization: "none" });
  const tensor = () => runtime.tensor("float32", [size, size], new Float32Array(size * size).fill(0.01));
  const bound = session.bind({ a: tensor(), b: tensor() }, { y: tensor() });
  const rows = await timed(15, () => bound.run());
  session.release();
  return 2 * size ** 3 / Math.min(...rows.map((row) => row["seconds"] as number)) / 1e9;
}

export async function main(args: readonly string[]): Promise<void> {
  const given = options(args, { size: "1024", threads: "2", spinning: "1" });
  const threads = Number(given.threads), size = Number(given.size);
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads, spinning: given.spinning === "1" });
  const gflops = await matmulCeiling(runtime, size);
  emit({ kind: "limit", bench: `mm_${size}x${size}x${size}`, threads, dtype: "float32", gflops });
}

if (import.meta.main) await main(Deno.args);
