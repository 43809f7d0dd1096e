/** How fast this machine reads memory, in the same minutes as what is bound by it: a matrix times a row, as decoding does. @module */
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import type { Runtime } from "../../../gpu/session.ts";

/** 256 MB of float32: no cache holds it. */
const ROWS = 1 << 16, WIDTH = 1 << 10;

export interface MemoryRate {
  /** Reads it all a few times: bytes per second, each. */
  measure(): Promise<number[]>;
  release(): void;
}

export async function memoryRate(runtime: Runtime, times = 5): Promise<MemoryRate> {
  const graph = new Graph(), input = (name: string, shape: number[]) => graph.input(name, { dtype: "float32", shape });
  graph.output("y", input("x", [1, WIDTH]).gemm(input("w", [ROWS, WIDTH]), null, { transposeB: true }));
  const session = await runtime.session(encodeModel(graph), { name: "memory_rate", optimization: "none" });
  const tensors = [[1, WIDTH], [ROWS, WIDTH], [1, ROWS]].map((shape) => runtime.tensor("float32", shape));
  const [x, w, y] = tensors;
  (w!.data as Float32Array).fill(1); // Pages that nobody wrote to are one page of zeros.
  const run = session.bind({ x: x!, w: w! }, { y: y! });
  return {
    async measure() {
      const rates: number[] = [];
      for (let i = 0; i < times; i++) {
        const began = performance.now();
        await run.run();
        rates.push(ROWS * WIDTH * 4 * 1000 / (performance.now() - began));
      }
      return rates;
    },
    release() {
      run.release();
      tensors.forEach((tensor) => tensor.release());
      session.release();
    },
  };
}
