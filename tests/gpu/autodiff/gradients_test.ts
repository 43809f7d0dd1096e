/** Every derivative of the op table against finite differences in float64. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { type Dim, type DType, sizeOf, type TypedArray, typedArray } from "../../../gpu/onnx/dtype.ts";
import { type BlockQuantized, blocksOf, matmulBlocks } from "../../../gpu/onnx/block_quantized.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { PLAIN } from "../../../gpu/onnx/lowering.ts";
import { type DifferentiableOp, OPS } from "../../../gpu/onnx/ops.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime, type Runtime } from "../../../gpu/session.ts";

interface Case {
  readonly shapes: readonly (readonly number[])[];
  readonly f: (...x: Value[]) => Value;
  /** Points are uniform in [low, low + 2). */
  readonly low?: number;
  /** Ops of com.microsoft have float32 kernels only: wider step, wider tolerance. */
  readonly dtype?: DType;
}
const ids = (x: Value, numbers: number[], shape: number[]) =>
  x.graph.constant(BigInt64Array.from(numbers, BigInt), shape);
const table = (x: Value, from: number) =>
  x.graph.constant(typedArray(x.dtype, Array.from({ length: 6 }, (_, i) => Math.sin(from + i))), [3, 2]);
/** A matrix [rows, width] in blocks of few bits. */
function blocks({ graph }: Value, rows: number, width: number, bits: 4 | 8): BlockQuantized {
  const count = blocksOf(width, bits);
  const bytes = Uint8Array.from({ length: rows * count * 4 * bits }, (_, i) => (i * 89 + 7 * bits) % 256);
  const scales = Float32Array.from({ length: rows * count }, (_, i) => Math.sin(i + 1) / 2 ** bits);
  return {
    packed: graph.constant(bytes, [rows, count, 4 * bits]),
    scales: graph.constant(scales, [rows, count]),
    width,
    bits,
  };
}
const split = (x: Value) => x.split(1, [1, 3, 2]);

/** One case per differentiable op: leaving one out does not type-check. */
const CASES: Record<DifferentiableOp, Case> = {
  Add: { shapes: [[2, 3], [3]], f: (a, b) => a.add(b) },
  Sub: { shapes: [[2, 3], [2, 1]], f: (a, b) => a.sub(b) },
  Mul: { shapes: [[2, 3], [4, 1, 3]], f: (a, b) => a.mul(b) },
  Div: { shapes: [[2, 3], [2, 1]], f: (a, b) => a.div(b), low: 0.5 },
  Pow: { shapes: [[2, 3], [3]], f: (a, b) => a.pow(b).add(a.pow(3)).add(a.pow(2)), low: 0.5 },
  Min: { shapes: [[2, 3], [3]], f: (a, b) => a.min(b) },
  Max: { shapes: [[2, 3], [3]], f: (a, b) => a.max(b) },
  Neg: { shapes: [[4]], f: (x) => x.neg() },
  Exp: { shapes: [[4]], f: (x) => x.exp() },
  Log: { shapes: [[4]], f: (x) => x.log(), low: 0.5 },
  Sqrt: { shapes: [[4]], f: (x) => x.sqrt(), low: 0.5 },
  Abs: { shapes: [[6]], f: (x) => x.abs() },
  Reciprocal: { shapes: [[4]], f: (x) => x.reciprocal(), low: 0.5 },
  Sigmoid: { shapes: [[4]], f: (x) => x.sigmoid() },
  Tanh: { shapes: [[4]], f: (x) => x.tanh() },
  Erf: { shapes: [[3, 5]], dtype: "float32", f: (x) => x.gelu().add(x.erf()) },
  QuickGelu: {
    shapes: [[3, 5]],
    dtype: "float32",
    f: (x) => x.graph.emit("QuickGelu", [x], { alpha: { float: 1.5 } }).add(x.silu()),
  },
  FastGelu: { shapes: [[3, 5]], dtype: "float32", f: (x) => x.mul(2).geluTanh() },
  Clip: { shapes: [[4, 5]], f: (x) => x.clip(-0.5, 0.4).add(x.clip(null, 0.1)) },
  Cast: { shapes: [[4]], f: (x) => x.cast("float64").mul(x.cast("float64")).cast("float32"), dtype: "float32" },
  Identity: { shapes: [[4]], f: (x) => x.graph.emit("Identity", [x.mul(2)]) },
  Where: { shapes: [[2, 3], [3]], f: (a, b) => a.greater(b).where(a.mul(a), b) },
  MatMul: { shapes: [[2, 3, 4], [4, 5]], f: (a, b) => a.matmul(b) },
  FusedMatMul: {
    shapes: [[2, 4, 3], [5, 4], [3, 3, 2], [3, 2, 3]],
    dtype: "float32",
    f: (a, b, c, d) => {
      const left = a.matmul(b, { transposeA: true, transposeB: true, alpha: 0.5 });
      const right = c.matmul(d, { transposeB: false, alpha: 2 }).add(
        c.mT().matmul(d, { transposeA: true, transposeB: false }),
      );
      return left.reshape([5, 6]).matmul(right.sum(0).reshape([9]).slice([0], [6], [0]).reshape([1, 6]), {
        transposeB: true,
      });
    },
  },
  Gemm: {
    shapes: [[4, 3], [5, 4], [5]],
    f: (a, b, c) => a.gemm(b, c, { transposeA: true, transposeB: true, alpha: 0.5, beta: 2 }),
  },
  MatMulNBits: {
    shapes: [[2, 3, 64], [4, 48]],
    dtype: "float32",
    f: (a, b) => matmulBlocks(a, blocks(a, 5, 64, 4), false).sum().add(matmulBlocks(b, blocks(b, 3, 48, 8), false)),
  },
  ReduceSum: { shapes: [[2, 3, 4]], f: (x) => x.sum(1, false).add(x.sum([0, 1]).reshape([4])).mul(x.sum()) },
  ReduceMean: { shapes: [[2, 3, 4]], f: (x) => x.mean([0, 2]).mul(x.mean(1)) },
  ReduceMax: { shapes: [[2, 3, 4]], f: (x) => x.reduceMax(1).mul(x.reduceMax([0, 2], false).reshape([3, 1])) },
  ReduceSumSquare: { shapes: [[2, 3, 4]], f: (x) => x.reduceSumSquare(-1).mul(x.reduceSumSquare()) },
  CumSum: {
    shapes: [[2, 4]],
    f: (x) => x.cumsum(1).mul(x.cumsum(-1, { exclusive: true, reverse: true })).add(x.cumsum(0, { exclusive: true })),
  },
  Softmax: { shapes: [[2, 5, 3]], f: (x) => x.softmax().add(x.softmax(1)) },
  LogSoftmax: { shapes: [[2, 5]], f: (x) => x.logSoftmax() },
  TopK: { shapes: [[3, 6]], f: (x) => x.topK(2)[0].mul(x.topK(2, { axis: 0, largest: false })[0].sum()) },
  Transpose: { shapes: [[2, 3, 4]], f: (x) => x.transpose([2, 0, 1]) },
  Reshape: { shapes: [[2, 6]], f: (x) => x.reshape([3, -1]) },
  Expand: { shapes: [[2, 1], [3]], f: (x, y) => x.expand([2, 3]).mul(y.expand([2, 3])) },
  Concat: { shapes: [[2, 1], [2, 3]], f: (a, b) => a.concat([b, a], 1) },
  Split: { shapes: [[2, 6]], f: (x) => split(x)[0]!.mul(split(x)[2]!) },
  Slice: { shapes: [[4, 6]], f: (x) => x.slice([1, -4], [3, 9], [0, 1]).mul(x.slice([-2], [-1], [0]).sum()) },
  Pad: { shapes: [[2, 3]], f: (x) => x.pad([1, 0], [0, 2], 1.5) },
  Gather: {
    shapes: [[3, 4, 2]],
    f: (x) => x.gather(ids(x, [2, 0, 2, 1], [2, 2]), 1).sum(2, false).add(x.gather(ids(x, [1, 1], [2])).mean()),
  },
  GatherElements: { shapes: [[3, 4]], f: (x) => x.gatherElements(ids(x, [2, 0, 3, 3, 1, 1], [3, 2])) },
  GatherND: { shapes: [[3, 4, 2]], f: (x) => x.gatherND(ids(x, [2, 0, 1, 3, 2, 0], [3, 2])) },
  ScatterElements: { shapes: [[3, 4], [3, 2]], f: (x, u) => x.scatterElements(ids(x, [2, 0, 3, 3, 1, 1], [3, 2]), u) },
  ScatterND: { shapes: [[3, 4], [3, 4]], f: (x, u) => x.scatterND(ids(x, [2, 0, 2], [3, 1]), u) },
  SimplifiedLayerNormalization: {
    shapes: [[3, 6], [6]],
    dtype: "float32",
    f: (x, w) =>
      x.graph.emit("SimplifiedLayerNormalization", [x, w], { axis: -1, epsilon: { float: 1e-3 }, stash_type: 1 }),
  },
  RotaryEmbedding: {
    shapes: [[1, 2, 3, 4]],
    dtype: "float32",
    f: (x) => x.graph.emit("RotaryEmbedding", [x, ids(x, [0, 2, 1], [1, 3]), table(x, 0), table(x, 1.5)]),
  },
};

/** Compositions that stand in for the fused ops in float64, and the walker's own cases. */
const COMPOSITIONS: Record<string, Case> = {
  "PLAIN.silu": { shapes: [[3, 5]], f: (x) => PLAIN.silu(x) },
  "PLAIN.rmsNorm": { shapes: [[2, 3, 6], [6]], f: (x, w) => PLAIN.rmsNorm(x, w, 1e-3) },
  "PLAIN.skipRmsNorm": { shapes: [[3, 6], [3, 6], [6]], f: (x, s, w) => PLAIN.skipRmsNorm(x, s, w, 1e-3)[0] },
  "PLAIN.matmul": {
    shapes: [[4, 3], [2, 5, 4]],
    f: (a, b) => PLAIN.matmul(a, b, { transposeA: true, transposeB: true, alpha: 0.3 }),
  },
  "PLAIN.rotary": {
    shapes: [[1, 2, 3, 4]],
    f: (x) => PLAIN.rotary(x, ids(x, [0, 2, 1], [1, 3]), table(x, 0), table(x, 1.5)),
  },
  "PLAIN.logSoftmax": { shapes: [[2, 5]], f: (x) => PLAIN.logSoftmax(x, -1) },
  "PLAIN.tokenLogprobs": { shapes: [[4, 5]], f: (x) => PLAIN.tokenLogprobs(x, ids(x, [2, 0, 4, 2], [4]))[0] },
  "a token's log-prob alone, and with what else reads the distribution": {
    shapes: [[4, 5], [4, 5]],
    dtype: "float32",
    f: (x, w) => {
      const [alone] = x.tokenLogprobs(ids(x, [2, 0, 4, 2], [4])),
        [of, all] = w.tokenLogprobs(ids(x, [1, 1, 4, 0], [4]));
      return alone.add(of).add(all.exp().mul(all).sum([1], false));
    },
  },
  "a batch broadcast in MatMul": { shapes: [[2, 1, 3, 4], [5, 4, 2]], f: (a, b) => a.matmul(b) },
  "a value used three times": { shapes: [[3]], f: (x) => x.mul(x).add(x.exp()).mul(x) },
  "an unexpanded mean through elementwise ops": {
    shapes: [[2, 4], [4]],
    f: (x, w) => x.exp().mul(x).add(x.mul(w).tanh()).mean(-1).mul(x.mean()),
  },
};

const runtime: Runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());

for (const [name, spec] of [...Object.entries(CASES), ...Object.entries(COMPOSITIONS)]) {
  Deno.test(`gradients() of ${name} matches finite differences`, async () => await check(name, spec));
}

async function check(name: string, { shapes, f, low = -1, dtype = "float64" }: Case) {
  const random = lcg(name), uniform = (n: number, from: number) => Array.from({ length: n }, () => from + random() * 2);
  const graph = new Graph();
  const xs = shapes.map((shape, i) => graph.input(`x${i}`, { dtype, shape }));
  const y = f(...xs);
  if (name in OPS) assert(graph.nodes.some(({ op }) => op === name), `the case of ${name} does not emit ${name}`);
  const dy = graph.input("dy", { dtype: y.dtype, shape: y.shape });
  const dxs = gradients(y, xs, dy);
  for (const [i, dx] of dxs.entries()) assert.deepEqual([dx.dtype, dx.shape], [dtype, xs[i]!.shape]);
  graph.output("y", y);
  for (const [i, dx] of dxs.entries()) graph.output(`dx${i}`, dx);
  const session = await runtime.session(encodeModel(graph), { name, optimization: "basic" });

  const point = shapes.map((s) => uniform(sizeOf(s), low)), direction = shapes.map((s) => uniform(sizeOf(s), -1));
  const cotangent = uniform(sizeOf(y.shape), -1),
    tensor = (shape: readonly Dim[]) => runtime.tensor(dtype, shape as number[]);
  const inputs = { ...Object.fromEntries(xs.map((x) => [x.name, tensor(x.shape)])), dy: tensor(y.shape) };
  const outputs = { y: tensor(y.shape), ...Object.fromEntries(xs.map((x, i) => [`dx${i}`, tensor(x.shape)])) };
  const bound = session.bind(inputs, outputs), held = { ...inputs, ...outputs } as Record<string, { data: TypedArray }>;
  const numbers = (key: string) => Array.from(held[key]!.data as Float64Array);
  const at = async (e: number) => {
    for (const [i, p] of point.entries()) {
      held[`x${i}`]!.data.set(typedArray(dtype, p.map((v, j) => v + e * direction[i]![j]!)) as never);
    }
    held["dy"]!.data.set(typedArray(dtype, cotangent) as never);
    await bound.run();
  };
  const eps = dtype === "float64" ? 1e-6 : 2e-3, tolerance = dtype === "float64" ? 1e-6 : 2e-3;
  await at(eps);
  const above = dot(cotangent, numbers("y"));
  await at(-eps);
  const numeric = (above - dot(cotangent, numbers("y"))) / (2 * eps);
  await at(0);
  const analytic = dxs.reduce((sum, _, i) => sum + dot(direction[i]!, numbers(`dx${i}`)), 0);
  session.release();
  assert(
    Math.abs(analytic - numeric) < tolerance * Math.max(1, Math.abs(numeric)),
    `${name}: the gradient gives ${analytic} but finite differences give ${numeric}`,
  );
}
function dot(a: readonly number[], b: readonly number[]) {
  return a.reduce((sum, v, i) => sum + v * b[i]!, 0);
}
/** Uniform in [0, 1), seeded by a name. */
function lcg(seed: string) {
  let s = [...seed].reduce((a, c) => (a * 31 + c.charCodeAt(0)) >>> 0, 7);
  return () => (s = (s * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

async function evaluate(build: (graph: Graph) => Record<string, Value>): Promise<Record<string, number[]>> {
  const graph = new Graph(), values = build(graph);
  for (const [name, value] of Object.entries(values)) graph.output(name, value);
  const outputs = Object.fromEntries(
    Object.entries(values).map(([name, { dtype, dims }]) => [name, runtime.tensor(dtype, dims)]),
  );
  const session = await runtime.session(encodeModel(graph), { optimization: "basic" });
  await session.bind({}, outputs).run();
  session.release();
  return Object.fromEntries(
    Object.entries(outputs).map(([name, t]) => [name, Array.from(t.data as Float64Array, Number)]),
  );
}

Deno.test("gradients() shares ties of min, max and reduceMax, and passes clip's own limits", async () => {
  const result = await evaluate((graph) => {
    const a = graph.numbers([1, 2, 3], "float64"), b = graph.numbers([1, 5, 0], "float64");
    const [min] = gradients(a.min(b), [a]), [max] = gradients(a.max(b), [b]);
    const c = graph.numbers([2, 7, 7, 1], "float64"), [most] = gradients(c.reduceMax(0), [c]);
    const [clip] = gradients(a.clip(1, 2), [a]);
    return { min: min!, max: max!, most: most!, clip: clip! };
  });
  assert.deepEqual(result, { min: [0.5, 1, 0], max: [0.5, 1, 0], most: [0, 0.5, 0.5, 0], clip: [1, 1, 0] });
});

Deno.test("gradients() starts from ones and sums broadcast axes by hand numbers", async () => {
  const { da, db } = await evaluate((graph) => {
    const a = graph.constant(Float64Array.of(1, 2, 3, 4, 5, 6), [2, 3]), b = graph.numbers([10, 20, 30], "float64");
    const [da, db] = gradients(a.mul(b), [a, b]);
    return { da: da!, db: db! };
  });
  assert.deepEqual([da, db], [[10, 20, 30, 10, 20, 30], [5, 7, 9]]);
});

Deno.test("gradients() does not pass stopGradient, comparisons or integers", async () => {
  const { dx } = await evaluate((graph) => {
    const x = graph.numbers([1, -2, 3], "float64");
    const [dx] = gradients(x.mul(x.stopGradient()).mul(x.greater(0).cast("float64")), [x]);
    return { dx: dx! };
  });
  assert.deepEqual(dx!.map((n) => n + 0), [1, 0, 3]); // x·c·1[x>0] with c = x held fixed, not 2x
});

Deno.test("gradients() names what stands in the way", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2] });
  const n = graph.input("n", { dtype: "float32", shape: ["B", 2] }),
    other = graph.input("other", { dtype: "float32", shape: [2] });
  assert.throws(() => gradients(x.exp(), [other]), /Cannot differentiate "Exp_\d+" by "other": no differentiable path/);
  assert.throws(() => gradients(n.exp(), [n]), /Cannot differentiate Exp: "n" has shape \[B,2\], want numbers/);
  assert.throws(() => gradients(x.greater(0), [x]), /dtype is bool, want a float/);
  assert.throws(() => gradients(x.exp(), [x], graph.scalar(1)), /dy has shape \[\], want \[2\]/);
});

Deno.test("gradients() joins the parts of a split by one Concat, and leaves other branches alone", () => {
  const graph = new Graph(),
    x = graph.input("x", { dtype: "float32", shape: [2, 6] }),
    w = graph.input("w", { dtype: "float32", shape: [2, 2] });
  const [a, b, c] = x.split(1, [2, 2, 2]);
  const before = graph.nodes.length;
  gradients(a!.mul(b!).add(c!).mul(w.exp()).sum(), [x]);
  const added = graph.nodes.slice(before).map(({ op }) => op);
  assert.equal(added.filter((op) => op === "Concat").length, 1);
  assert.equal(added.filter((op) => op === "Exp").length, 1, "the forward Exp only: nothing is differentiated by w");
});

Deno.test("gradients() multiplies a batched input by one matrix in one product", () => {
  const graph = new Graph(),
    x = graph.input("x", { dtype: "float32", shape: [8, 5, 4] }),
    w = graph.input("w", { dtype: "float32", shape: [4, 3] });
  const [dw] = gradients(x.matmul(w), [w]);
  assert.deepEqual(dw!.shape, [4, 3]);
  assert.equal(dw!.node!.op, "FusedMatMul");
  assert.deepEqual(dw!.node!.inputs.map((v) => v!.shape), [[40, 4], [40, 3]]);
});
