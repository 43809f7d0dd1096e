/** Shape rules: what they infer by hand, what they refuse, and that ONNX Runtime infers the same. */
import assert from "node:assert/strict";
import type { Shape } from "../../../gpu/onnx/dtype.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { axisOf, broadcastShapes } from "../../../gpu/onnx/infer.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime } from "../../../gpu/session.ts";

const graph = new Graph();
let count = 0;
const x = (...shape: Shape) => graph.input(`x${count++}`, { dtype: "float32", shape });
const n = (...shape: Shape) => graph.input(`n${count++}`, { dtype: "int64", shape });

const SHAPES: readonly [string, () => Value, Shape][] = [
  ["Add broadcasts names", () => x("B", 1, 4).add(x(3, 1)), ["B", 3, 4]],
  ["MatMul", () => x("B", 3, 4).matmul(x(4, 5)), ["B", 3, 5]],
  ["FusedMatMul", () => x(2, 4, 3).matmul(x(5, 4), { transposeA: true, transposeB: true }), [2, 3, 5]],
  ["Gemm", () => x(4, 3).gemm(x(4, 5), x(5), { transposeA: true }), [3, 5]],
  ["ReduceSum keeps axes", () => x("B", 3, 4).sum([0, -1]), [1, 3, 1]],
  ["ReduceMean drops axes", () => x("B", 3, 4).mean(-1, false), ["B", 3]],
  ["Transpose", () => x("B", 3, 4).transpose([2, 0, 1]), [4, "B", 3]],
  ["Reshape keeps a name in place", () => x("B", 6).reshape(["B", 2, 3]), ["B", 2, 3]],
  ["Reshape names what is left", () => x("B", 3, 4).reshape([-1, 4]), ["3*B", 4]],
  ["Reshape takes the caller's name for what is left", () => x("B", 3, 4).reshape(["N", 4]), ["N", 4]],
  ["Reshape divides", () => x(6, 4).reshape([3, -1, 2]), [3, 4, 2]],
  ["Expand", () => x("B", 1, 3).expand(["B", 5, 3]), ["B", 5, 3]],
  ["Gather", () => x(7, 4).gather(n("B", 3)), ["B", 3, 4]],
  ["Gather in the middle", () => x(7, 4, 2).gather(n(3), 1), [7, 3, 2]],
  ["GatherElements", () => x(7, 4).gatherElements(n(7, 2)), [7, 2]],
  ["GatherND", () => x(7, 4, 2).gatherND(n(3, 2)), [3, 2]],
  ["GatherND with a batch", () => x("B", 4, 2).gatherND(n("B", 1), 1), ["B", 2]],
  ["Concat", () => x("B", 4).concat([x("B", 2)], 1), ["B", 6]],
  ["Split", () => x("B", 6).split(-1, [1, 5])[1]!, ["B", 5]],
  ["Slice clamps", () => x("B", 6).slice([-2], [99], [1]), ["B", 2]],
  ["Slice by steps", () => x(7).slice([5], [-99], [0], [-2]), [3]],
  ["Pad", () => x("B", 3).pad([0, 1], [0, 2]), ["B", 6]],
  ["TopK", () => x("B", 9).topK(4)[1], ["B", 4]],
  ["ArgMax", () => x("B", 9).argMax(), ["B"]],
  ["tokenLogprobs", () => x("N", 9).tokenLogprobs(n("N"))[0], ["N"]],
];

for (const [name, build, want] of SHAPES) {
  Deno.test(`infer: ${name} gives [${want}]`, () => assert.deepEqual(build().shape, want));
}

const REFUSED: readonly [() => unknown, RegExp][] = [
  [() => x(8, 64).matmul(x(32, 64)), /^RangeError: Cannot multiply \[8,64\] by \[32,64\]: inner sizes are 64 and 32$/],
  [() => x(2, 3).add(x(4)), /Cannot broadcast \[2,3\] and \[4\]: axis 1 is 3 and 4/],
  [() => x("B", 3).add(x("C", 3)), /axis 0 is B and C/],
  [
    () => x(2).add(n(2)),
    /^TypeError: Cannot combine "x\d+" and "n\d+": dtypes are float32 and int64, want the same; cast one$/,
  ],
  [() => x(2, 3).reshape([4, -1]), /Cannot reshape \[2,3\] to \[4,-1\]: the numbers of elements differ/],
  [() => x("B", 3).reshape([2, 3]), /Cannot reshape \[B,3\]/],
  [() => x(2, 3).transpose([0, 0]), /Cannot transpose \[2,3\] by \[0,0\]: want a permutation of its 2 axes/],
  [() => x(2, 3).sum(2), /Cannot use axis 2: the tensor has rank 2/],
  [() => x(2, 6).split(1, [2, 2]), /Cannot split \[2,6\] along axis 1 into \[2,2\]: they do not add up to 6/],
  [() => x(2, 3).concat([x(3, 3)], 1), /Cannot join \[2,3\] and \[3,3\] along axis 1/],
  [() => x(2, 3).where(1, 2), /dtype is float32, want bool/],
  [() => x(2, 3).topK(4), /Cannot take the top 4 of \[2,3\]: axis 1 has 3/],
  [() => x(2, 8).rmsNorm(x(4)), /Cannot normalize \[2,8\] with weight \[4\]: want \[8\]/],
  [() => x(2, 2, 3, 8).rotary(n(2, 3), x(9, 3), x(9, 3)), /Cannot rotate \[2,2,3,8\] by tables \[9,3\]/],
  [() => x(2, 2, 3, 8).rotary(n(2, 4), x(9, 4), x(9, 4)), /positions are \[2,4\], want \[2,3\]/],
  [() => x("B", 4).expand([3, "C"]), /Cannot expand \[B,4\] to \[3,C\]: "C" is symbolic/],
];
for (const [build, message] of REFUSED) {
  Deno.test(`infer refuses: ${message.source.slice(0, 60)}`, () => assert.throws(build, message));
}

Deno.test("infer: groupQueryAttention wants a head size that is a multiple of 16", () => {
  const cache = x(1, 2, 9, 8), args = { heads: 4, kvHeads: 2, pastKey: cache, pastValue: cache };
  const i32 = graph.input("i32", { dtype: "int32", shape: [1] });
  assert.throws(() => x(1, 3, 64).groupQueryAttention({ ...args, seqlens: i32, total: i32 }), /head size 8/);
});

Deno.test("axisOf() and broadcastShapes() count from the end", () => {
  assert.equal(axisOf(-1, 3), 2);
  assert.throws(() => axisOf(-4, 3), RangeError);
  assert.deepEqual(broadcastShapes([], [2, 1]), [2, 1]);
});

Deno.test("infer: ONNX Runtime accepts every inferred shape, names set to 2, as the output's own", async () => {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  for (const [name, build] of SHAPES) {
    const value = build();
    const small = new Graph(), copies = new Map<Value, Value>();
    const copy = (v: Value): Value => {
      const known = copies.get(v);
      if (known) return known;
      const data = graph.constants.get(v), { dtype, shape } = v;
      const made = v.node
        ? small.emitMany(v.node.op, v.node.inputs.map((i) => i && copy(i)), v.node.attributes)[v.outputIndex]!
        : data
        ? small.constant(data, v.dims, dtype)
        : small.input(v.name, { dtype, shape: shape.map((dim) => (typeof dim === "string" ? 2 : dim)) });
      copies.set(v, made);
      return made;
    };
    const y = copy(value);
    small.output("y", y);
    const session = await runtime.session(encodeModel(small), { name, optimization: "none" });
    const inputs = small.inputs.map((v) => [v.name, runtime.tensor(v.dtype, v.dims)]);
    // The run fails if the bound output has another shape than the computed one.
    await session.bind(Object.fromEntries(inputs), { y: runtime.tensor(y.dtype, y.dims) }).run();
    session.release();
  }
  runtime.release();
});
