/** The chain methods, each by hand numbers through ONNX Runtime. */
import assert from "node:assert/strict";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { openRuntime } from "../../../gpu/session.ts";
import { distance, evaluate, numbers } from "./harness.ts";

const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());
const NaN32 = Number.NaN;

/** x = [[1, -2, 3], [4, 5, -6]], n = [2, 0] int64. */
const METHODS: readonly [string, (x: Value, n: Value) => Value, number[]][] = [
  ["add", (x) => x.add(1), [2, -1, 4, 5, 6, -5]],
  ["sub", (x) => x.sub(1), [0, -3, 2, 3, 4, -7]],
  ["mul", (x) => x.mul(2), [2, -4, 6, 8, 10, -12]],
  ["div", (x) => x.div(2), [0.5, -1, 1.5, 2, 2.5, -3]],
  ["pow", (x) => x.pow(2), [1, 4, 9, 16, 25, 36]],
  ["min", (x) => x.min(2), [1, -2, 2, 2, 2, -6]],
  ["max", (x) => x.max(2), [2, 2, 3, 4, 5, 2]],
  ["neg", (x) => x.neg(), [-1, 2, -3, -4, -5, 6]],
  ["abs", (x) => x.abs(), [1, 2, 3, 4, 5, 6]],
  ["sign", (x) => x.sign(), [1, -1, 1, 1, 1, -1]],
  ["exp of log of abs", (x) => x.abs().log().exp(), [1, 2, 3, 4, 5, 6]],
  ["sqrt", (x) => x.mul(x).sqrt(), [1, 2, 3, 4, 5, 6]],
  ["reciprocal", (x) => x.reciprocal(), [1, -1 / 2, 1 / 3, 1 / 4, 1 / 5, -1 / 6]],
  ["sigmoid", (x) => x.sigmoid(), [1, -2, 3, 4, 5, -6].map((v) => 1 / (1 + Math.exp(-v)))],
  ["tanh", (x) => x.tanh(), [1, -2, 3, 4, 5, -6].map(Math.tanh)],
  ["silu", (x) => x.silu(), [1, -2, 3, 4, 5, -6].map((v) => v / (1 + Math.exp(-v)))],
  ["clip", (x) => x.clip(-1, null), [1, -1, 3, 4, 5, -1]],
  ["cast", (x) => x.div(2).cast("int64"), [0, -1, 1, 2, 2, -3]],
  ["greater", (x) => x.greater(3), [0, 0, 0, 1, 1, 0]],
  ["greaterOrEqual", (x) => x.greaterOrEqual(3), [0, 0, 1, 1, 1, 0]],
  ["less", (x) => x.less(3), [1, 1, 0, 0, 0, 1]],
  ["lessOrEqual", (x) => x.lessOrEqual(3), [1, 1, 1, 0, 0, 1]],
  ["equal, or, and", (x) => x.equal(3).or(x.equal(4)).and(x.less(4)), [0, 0, 1, 0, 0, 0]],
  ["where", (x) => x.less(0).where(0, x), [1, 0, 3, 4, 5, 0]],
  ["isNaN", (x) => x.log().isNaN(), [0, 1, 0, 0, 0, 1]],
  ["isInf", (x) => x.sub(1).reciprocal().isInf(), [1, 0, 0, 0, 0, 0]],
  ["matmul", (x) => x.matmul(x, { transposeB: true, alpha: 2 }), [28, -48, -48, 154]],
  ["gemm", (x) => x.gemm(x, x.sum(1, false), { transposeB: true, beta: 10 }), [34, 6, -4, 107]],
  ["transpose", (x) => x.transpose([1, 0]), [1, 4, -2, 5, 3, -6]],
  ["mT", (x) => x.reshape([2, 3, 1]).mT().reshape([6]), [1, -2, 3, 4, 5, -6]],
  ["expand", (x) => x.slice([0], [1], [1]).expand([2, 2]), [1, 1, 4, 4]],
  ["concat", (x) => x.slice([0], [1], [0]).concat([x.slice([1], [2], [0])], 1), [1, -2, 3, 4, 5, -6]],
  ["split", (x) => x.split(1, [2, 1])[1]!, [3, -6]],
  ["slice", (x) => x.slice([-1], [-99], [1], [-2]), [3, 1, -6, 4]],
  ["pad", (x) => x.pad([0, 1], [0, 0], 9), [9, 1, -2, 3, 9, 4, 5, -6]],
  ["sum", (x) => x.sum(), [5]],
  ["mean", (x) => x.mean(0), [2.5, 1.5, -1.5]],
  ["reduceMax", (x) => x.reduceMax(-1), [3, 5]],
  ["reduceSumSquare", (x) => x.reduceSumSquare(-1), [14, 77]],
  ["argMax", (x) => x.argMax(), [2, 1]],
  ["cumsum", (x) => x.cumsum(), [1, -1, 2, 4, 9, 3]],
  ["cumsum exclusive", (x) => x.cumsum(1, { exclusive: true }), [0, 1, -1, 0, 4, 9]],
  ["softmax", (x) => x.softmax().sum(-1), [1, 1]],
  ["topK", (x) => x.topK(2)[0], [3, 1, 5, 4]],
  ["topK indices", (x) => x.topK(2, { largest: false })[1], [1, 0, 2, 0]],
  ["gather", (x, n) => x.gather(n, 1), [3, 1, -6, 4]],
  ["gatherElements", (x, n) => x.gatherElements(n.reshape([2, 1])), [3, 4]],
  ["gatherND", (x, n) => x.gatherND(n.reshape([2, 1]), 1), [3, 4]],
  ["scatterElements", (x, n) => x.scatterElements(n.reshape([2, 1]), x.slice([0], [1], [1])), [1, -2, 4, 8, 5, -6]],
  ["scatterND", (x, n) => x.scatterND(n.mul(0).reshape([2, 1]), x), [6, 1, 0, 4, 5, -6]],
  ["rmsNorm", (x) => x.rmsNorm(x.graph.numbers([1, 1, 2]), 0).reduceSumSquare(0), [
    1 / (14 / 3) + 16 / (77 / 3),
    4 / (14 / 3) + 25 / (77 / 3),
    36 / (14 / 3) + 144 / (77 / 3),
  ]],
];

for (const [name, f, want] of METHODS) {
  Deno.test(`Value.${name}() by hand numbers`, async () => {
    const { y } = await evaluate(
      runtime,
      {
        x: { dtype: "float32", shape: [2, 3], data: [1, -2, 3, 4, 5, -6] },
        n: { dtype: "int64", shape: [2], data: [2, 0] },
      },
      ({ x, n }) => ({ y: f(x!, n!) }),
    );
    assert(distance(y!, want) < 1e-5, `got ${y}, want ${want}`);
  });
}

Deno.test("Value.where() and clip() keep NaN visible", async () => {
  const { kept, clipped } = await evaluate(
    runtime,
    { x: { dtype: "float32", shape: [2], data: [NaN32, 1] } },
    ({ x }) => ({ kept: x!.greater(0).where(0, x!), clipped: x!.clip(0, 2) }),
  );
  assert.deepEqual([kept, clipped], [[NaN, 0], [NaN, 1]]);
});

Deno.test("Value.skipRmsNorm() returns the norm and the sum", async () => {
  const shape = [1, 2, 4], x = numbers(8, 1), s = numbers(8, 2);
  const { y, sum } = await evaluate(
    runtime,
    { x: { dtype: "float32", shape, data: x }, s: { dtype: "float32", shape, data: s } },
    ({ x, s }, graph) => {
      const [y, sum] = x!.skipRmsNorm(s!, graph.numbers([1, 1, 1, 1]), 0);
      return { y, sum };
    },
  );
  assert(distance(sum!, x.map((v, i) => v + s[i]!)) < 1e-6);
  const first = y!.slice(0, 4).reduce((total, v) => total + v * v, 0);
  assert(Math.abs(first - 4) < 1e-5, `mean square of a row is ${first / 4}, want 1`);
});

Deno.test("Value methods that change nothing add no node", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2, 3] });
  assert.deepEqual([x.reshape([2, 3]), x.expand([2, 3]), x.transpose([0, 1]), x.cast("float32"), x.concat([], 0)], [
    x,
    x,
    x,
    x,
    x,
  ]);
  assert.equal(graph.nodes.length, 0);
});

Deno.test("Value.dims refuses a symbolic dimension", () => {
  const x = new Graph().input("x", { dtype: "float32", shape: ["B", 3] });
  assert.throws(() => x.dims, /Cannot use \[B,3\] of "x" as numbers: dimension "B" is symbolic/);
});
