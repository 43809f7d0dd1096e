/** Rounding to few bits by hand and to its bound, and that ONNX Runtime reads the blocks as they are meant. */
import assert from "node:assert/strict";
import { blocksOf, dequantized, gatherBlocks, matmulBlocks } from "../../../gpu/onnx/block_quantized.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import type { Runtime } from "../../../gpu/session.ts";
import { scalesName, weightName } from "../../../gpu/weights/graph_weights.ts";
import { layoutOf } from "../../../gpu/weights/layout.ts";
import { type Bits, quantizedBytes, QuantizedMatrices } from "../../../gpu/weights/quantized.ts";
import { cpuRuntime } from "../golden_model.ts";

const BLOCK = 32;
const MORE = { repeated: [], initializerRange: 0.02, initialNorm: 1 as const };
/** Two parameters of one packed matrix, 5 and 3 rows of two blocks, and a vector. */
const LAYOUT = layoutOf([["w", ["a", [5, 64]], ["b", [3, 64]]], ["norm", ["norm", [64]]]], MORE);
const [A, B] = LAYOUT.parameters as [typeof LAYOUT.parameters[0], typeof LAYOUT.parameters[0]];

/** Numbers from -1 to 1 that have no pattern. */
const numbers = (count: number, from: number) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin((i + from) * 12.9898) * Math.cos((i + from) * 78.233));

async function withMatrices(
  bits: Bits,
  body: (matrices: QuantizedMatrices, runtime: Runtime) => unknown,
): Promise<void> {
  const runtime = await cpuRuntime();
  const matrices = new QuantizedMatrices(runtime, LAYOUT, bits);
  try {
    matrices.write(A, numbers(A.size, 0), 0);
    matrices.write(B, numbers(2 * 64, 1000), 0);
    matrices.write(B, numbers(64, 5000), 2 * 64); // whole rows, one after another
    await body(matrices, runtime);
  } finally {
    matrices.release();
    runtime.release();
  }
}
const written = [...numbers(A.size, 0), ...numbers(2 * 64, 1000), ...numbers(64, 5000)];

Deno.test("a block is rounded by the number of largest magnitude, which stays exact: by hand", () =>
  withMatrices(4, (matrices) => {
    const row = new Float32Array(64);
    row.set([-8, 7, 8, 0.4, 0.6, -0.5, 1]); // scale 1: -8 has a step of its own, 8 has not
    row.set([4, -3.5, 0.24, 0.26], BLOCK); // scale -0.5: 4 is step 0
    matrices.write(A, row, 64);
    const back = matrices.read(A).subarray(64, 128);
    assert.deepEqual([...back.subarray(0, 8)], [-8, 7, 7, 0, 1, 0, 1, 0]);
    assert.deepEqual([...back.subarray(BLOCK, BLOCK + 5)].map((x) => x + 0), [4, -3.5, 0, 0.5, 0]);
    const { data } = matrices.tensors(LAYOUT)[weightName("w")]!;
    assert.deepEqual([...data.subarray(32, 36)], [0 | 15 << 4, 15 | 8 << 4, 9 | 8 << 4, 9 | 8 << 4]);
  }));

for (const bits of [8, 4] as const) {
  Deno.test(`int${bits}: what is restored is within half a step, one where a block's other end is`, () =>
    withMatrices(bits, (matrices) => {
      const back = [...matrices.read(A), ...matrices.read(B)];
      for (let block = 0; block < written.length; block += BLOCK) {
        const all = written.slice(block, block + BLOCK),
          most = Math.max(...all.map(Math.abs)),
          step = most / 2 ** (bits - 1);
        const sign = Math.sign(all.find((x) => Math.abs(x) === most)!);
        all.forEach((x, i) => {
          const error = Math.abs(back[block + i]! - x), other = -x * sign > most - step / 2;
          assert(error <= step * (other ? 1 : 0.5) + 1e-6, `${x} became ${back[block + i]}, step ${step}`);
          if (Math.abs(x) === most) assert(error < 1e-6, "the largest is exact");
        });
      }
      const block = matrices.read(A).subarray(0, BLOCK);
      matrices.write(A, Float32Array.of(...block, ...matrices.read(A).subarray(BLOCK, 64)), 0);
      assert.deepEqual(matrices.read(A).subarray(0, BLOCK), block, "rounding twice changes nothing");
      assert.equal(quantizedBytes(LAYOUT, bits), 8 * 64 * bits / 8 + 8 * 2 * 4 + 64 * 4);
      const narrow = layoutOf([["w", ["a", [3, 40]]]], MORE);
      assert.equal(quantizedBytes(narrow, bits), 3 * 2 * (32 * bits / 8 + 4), "rows are whole blocks");
    }));

  for (const width of [64, 80, 256]) {
    Deno.test(`int${bits}: products, look-ups and the whole matrix are those of the restored numbers, ${width} wide`, async () => {
      const runtime = await cpuRuntime(), rows = 8, count = 3, blocks = blocksOf(width, bits);
      const layout = layoutOf([["w", ["a", [5, width]], ["b", [3, width]]]], MORE),
        matrices = new QuantizedMatrices(runtime, layout, bits);
      for (const [i, part] of layout.parameters.entries()) matrices.write(part, numbers(part.size, 900 * i), 0);
      const tensors = matrices.tensors(layout),
        restored = layout.parameters.flatMap((part) => [...matrices.read(part)]);
      assert.deepEqual(tensors[scalesName("w")]!.shape, [rows, blocks]);
      const x = numbers(count * width, 77), input = runtime.tensor("float32", [count, width], x);
      const ids = runtime.tensor("int64", [2], BigInt64Array.of(6n, 1n));
      const dot = (m: number, n: number) =>
        Array.from({ length: width }, (_, k) => x[m * width + k]! * restored[n * width + k]!).reduce((a, b) => a + b);
      const want = Array.from({ length: count * rows }, (_, i) => dot(Math.floor(i / rows), i % rows));
      for (const constant of [false, true]) {
        const graph = new Graph(), types = [["uint8", weightName("w")], ["float32", scalesName("w")]] as const;
        const [packed, scales] = types.map(([dtype, name]) => {
          const type = { dtype, shape: tensors[name]!.shape };
          return constant ? graph.initializer(name, type) : graph.input(name, type);
        });
        const matrix = { packed: packed!, scales: scales!, width, bits };
        const read = graph.input("x", { dtype: "float32", shape: [count, width] });
        graph.output("y", matmulBlocks(read, matrix, constant));
        graph.output("rows", gatherBlocks(matrix, graph.input("ids", { dtype: "int64", shape: [2] })));
        graph.output("all", dequantized(matrix));
        const shared = constant ? runtime.shareInitializers(tensors) : undefined;
        for (let time = 0; time < 2; time++) {
          const options = { optimization: "basic", ...(shared ? { initializers: shared } : {}) } as const;
          const session = await runtime.session(encodeModel(graph), options);
          const shapes = { y: [count, rows], rows: [2, width], all: [rows, width] };
          const out = Object.fromEntries(
            Object.entries(shapes).map(([name, shape]) => [name, runtime.tensor("float32", shape)]),
          );
          await session.bind({ x: input, ids, ...(constant ? {} : tensors) }, out).run();
          // With `integers` x is rounded to 8 bits too: at most half a step of 1/127 in each product.
          const tolerance = constant ? width * 0.5 / 127 * 0.2 : 1e-5;
          want.forEach((value, i) => {
            assert(Math.abs(out.y!.data[i] as number - value) < tolerance, `${i}: ${out.y!.data[i]}, want ${value}`);
          });
          assert.deepEqual([...out.all!.data], restored);
          const row = (i: number) => restored.slice(i * width, (i + 1) * width);
          assert.deepEqual([...out.rows!.data], [...row(6), ...row(1)]);
          session.release();
        }
        shared?.release();
      }
      matrices.release();
      runtime.release();
    });
  }
}

Deno.test("QuantizedMatrices refuses a backend and a device without kernels", () => {
  for (const other of [{ backend: "napi", device: "cpu" }, { backend: "ffi", device: "cuda" }]) {
    assert.throws(
      () => new QuantizedMatrices(other as Runtime, LAYOUT, 4),
      /Cannot store weights as int4 with device "\w+" and backend "\w+": only the CPU has kernels for them/,
    );
  }
});
