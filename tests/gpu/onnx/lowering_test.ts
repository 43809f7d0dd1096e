/** Fused ops against their plain compositions, forward and backward, and the safe ScatterND. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import type { Value } from "../../../gpu/onnx/graph.ts";
import { LOWERING, type Lowering, PLAIN } from "../../../gpu/onnx/lowering.ts";
import { openRuntime } from "../../../gpu/session.ts";
import { distance, evaluate, type Feed, numbers } from "./harness.ts";

const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());
const FUSED = { ...PLAIN, ...LOWERING.cpu.float32 };
const f32 = (shape: number[], seed: number): Feed => ({
  dtype: "float32",
  shape,
  data: numbers(shape.reduce((a, b) => a * b, 1), seed),
});
const i64 = (shape: number[], data: number[]): Feed => ({ dtype: "int64", shape, data });

interface Case {
  readonly feeds: Readonly<Record<string, Feed>>;
  readonly f: (lowering: Lowering, x: Record<string, Value>) => Value;
  readonly inference?: true;
}
const CASES: Record<keyof Lowering, Case> = {
  matmul: {
    feeds: { a: f32([2, 4, 3], 1), b: f32([2, 5, 4], 2) },
    f: (l, x) => l.matmul(x["a"]!, x["b"]!, { transposeA: true, transposeB: true, alpha: 0.3 }),
  },
  silu: { feeds: { x: f32([3, 5], 3) }, f: (l, x) => l.silu(x["x"]!) },
  quickGelu: { feeds: { x: f32([3, 5], 3) }, f: (l, x) => l.quickGelu(x["x"]!.mul(3)) },
  geluTanh: { feeds: { x: f32([3, 5], 3) }, f: (l, x) => l.geluTanh(x["x"]!.mul(3)) },
  rmsNorm: { feeds: { x: f32([3, 8], 4), w: f32([8], 5) }, f: (l, x) => l.rmsNorm(x["x"]!, x["w"]!, 1e-5) },
  skipRmsNorm: {
    feeds: { x: f32([1, 3, 8], 6), s: f32([1, 3, 8], 7), w: f32([8], 8) },
    f: (l, x) => {
      const [y, sum] = l.skipRmsNorm(x["x"]!, x["s"]!, x["w"]!, 1e-5);
      return y.add(sum);
    },
    inference: true,
  },
  rotary: {
    feeds: { x: f32([2, 2, 3, 4], 9), p: i64([2, 3], [0, 1, 2, 3, 1, 0]), c: f32([5, 2], 10), s: f32([5, 2], 11) },
    f: (l, x) => l.rotary(x["x"]!, x["p"]!, x["c"]!, x["s"]!),
  },
  logSoftmax: { feeds: { x: f32([3, 7], 12) }, f: (l, x) => l.logSoftmax(x["x"]!.mul(30), -1) },
  tokenLogprobs: {
    feeds: { x: f32([4, 7], 13), ids: i64([4], [6, 0, 3, 3]) },
    f: (l, x) => l.tokenLogprobs(x["x"]!.mul(30), x["ids"]!)[0],
  },
  scatterND: {
    feeds: { x: f32([3, 4], 14), at: i64([3, 1], [2, 0, 2]), u: f32([3, 4], 15) },
    f: (l, x) => l.scatterND(x["x"]!, x["at"]!, x["u"]!),
  },
};

for (const [name, { feeds, f, inference }] of Object.entries(CASES)) {
  Deno.test(`LOWERING.${name} on the CPU equals its plain composition, with gradients`, async () => {
    const both = await evaluate(runtime, feeds, (inputs) => {
      const floats = Object.keys(feeds).filter((key) => feeds[key]!.dtype === "float32" && !["c", "s"].includes(key));
      const result: Record<string, Value> = {};
      for (const [kind, lowering] of [["fused", FUSED], ["plain", PLAIN]] as const) {
        const y = f(lowering, inputs);
        result[kind] = y;
        if (inference) continue;
        const weighted = y.mul(y).sum();
        for (const [i, dx] of gradients(weighted, floats.map((key) => inputs[key]!)).entries()) {
          result[`${kind}.d${floats[i]}`] = dx;
        }
      }
      return result;
    });
    for (const [key, values] of Object.entries(both)) {
      if (!key.startsWith("fused")) continue;
      const plain = both[key.replace("fused", "plain")]!, scale = Math.max(1, ...plain.map(Math.abs));
      assert(distance(values, plain) < 2e-5 * scale, `${key} differs by ${distance(values, plain)} at scale ${scale}`);
    }
  });
}

Deno.test("tokenLogprobs() equals log softmax by hand", async () => {
  const { y } = await evaluate(
    runtime,
    { x: { dtype: "float32", shape: [2, 3], data: [1, 2, 3, 0, 0, 0] }, ids: i64([2], [2, 1]) },
    ({ x, ids }) => ({ y: x!.tokenLogprobs(ids!)[0] }),
  );
  const want = [3 - Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3)), -Math.log(3)];
  assert(distance(y!, want) < 1e-6, `got ${y}, want ${want}`);
});

Deno.test("scatterND() adds duplicates exactly, in order, at sizes where one node would lose updates", async () => {
  for (const [rows, count, width] of [[8, 4096, 256], [1, 9000, 1], [2100, 1500, 512]] as const) {
    const at = Array.from({ length: count }, (_, i) => (i * 7919) % rows);
    const updates = Float32Array.from({ length: count * width }, (_, i) => Math.sin(i * 0.37));
    const want = new Float32Array(rows * width);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < width; j++) want[at[i]! * width + j] = want[at[i]! * width + j]! + updates[i * width + j]!;
    }
    const feeds = { at: i64([count, 1], at), u: { dtype: "float32", shape: [count, width], data: updates } } as const;
    const { y } = await evaluate(
      runtime,
      feeds,
      ({ at, u }, graph) => ({ y: graph.zeros([rows, width]).scatterND(at!, u!) }),
    );
    assert.equal(distance(y!, Array.from(want)), 0);
  }
});

Deno.test("scatterND() keeps each node below the size of the race", async () => {
  await evaluate(
    runtime,
    { at: i64([2048, 1], new Array(2048).fill(0)), u: f32([2048, 128], 1) },
    ({ at, u }, graph) => {
      const y = graph.zeros([4, 128]).scatterND(at!, u!);
      const sizes = graph.nodes.filter(({ op }) => op === "ScatterND").map(({ inputs }) => inputs[2]!.dims);
      assert.deepEqual(sizes, [[512, 128], [512, 128], [512, 128], [512, 128]]); // 256 kB each
      return { y };
    },
  );
});
