/** The model writer: bytes by hand, and ONNX Runtime as the reader. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime } from "../../../gpu/session.ts";

const f32 = (...shape: (number | string)[]) => ({ dtype: "float32", shape }) as const;
const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());
const text = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

Deno.test("encodeModel() begins with IR version 10 and the producer, and ends with the two opsets", () => {
  const graph = new Graph();
  graph.output("y", graph.input("x", f32(2)).exp());
  const bytes = encodeModel(graph);
  assert.deepEqual([...bytes.subarray(0, 4)], [0x08, 10, 0x12, 7]);
  assert.equal(text(bytes.subarray(4, 11)), "nonzero");
  const tail = text(bytes.subarray(-35));
  assert(tail.includes("\x10\x15"), "opset 21 of the standard domain");
  assert(tail.endsWith("com.microsoft\x10\x01"));
});

Deno.test("encodeModel() drops nodes, constants, identities and optional outputs that nothing needs", () => {
  const graph = new Graph(), x = graph.input("x", f32(2, 4)), w = graph.numbers([1, 2, 3, 4]);
  x.exp().mul(graph.numbers([5, 6, 7, 8]));
  graph.output("y", x.stopGradient().rmsNorm(w).stopGradient().neg());
  const model = text(encodeModel(graph));
  for (const gone of ["Exp", "Mul", "Identity", "StopGradient", "SimplifiedLayerNormalization_5"]) {
    assert(!model.includes(gone), `${gone} is written`);
  }
  assert.equal(model.match(/const_/g)!.length, 2, "the weight's name: once where it is stored, once where it is used");
});

Deno.test("encodeModel() keeps an Identity that is an output", async () => {
  const graph = new Graph(), x = graph.input("x", f32(2)), y = x.stopGradient();
  graph.output("y", y);
  graph.output("z", y.exp());
  const session = await runtime.session(encodeModel(graph));
  const [tx, ty, tz] = [Float32Array.of(0, 1), undefined, undefined].map((data) =>
    runtime.tensor("float32", [2], data)
  );
  await session.bind({ x: tx! }, { y: ty!, z: tz! }).run();
  assert.deepEqual([...ty!.data], [0, 1]);
  assert.equal(tz!.data[0], 1);
});

Deno.test("encodeModel() writes every dtype's constants, negative integers, long names and symbolic dimensions", async () => {
  const graph = new Graph(), long = "ein sehr langer Name für einen Tensor, ".repeat(5);
  const x = graph.input(long, f32("Zeilen", 2));
  const i64 = graph.constant(BigInt64Array.of(-3n, 2n ** 40n), [2]), i32 = graph.constant(Int32Array.of(-7, 8), [2]);
  const bool = graph.constant(Uint8Array.of(0, 1), [2], "bool"),
    f64 = graph.constant(Float64Array.of(0.1, -1e300), [2]);
  graph.output("x", x.add(1));
  for (const [name, value] of Object.entries({ i64, i32, bool, f64 })) graph.output(name, value);
  const session = await runtime.session(encodeModel(graph));
  assert.deepEqual(session.inputs, [long]);
  const outputs = {
    x: runtime.tensor("float32", [3, 2]),
    i64: runtime.tensor("int64", [2]),
    i32: runtime.tensor("int32", [2]),
    bool: runtime.tensor("bool", [2]),
    f64: runtime.tensor("float64", [2]),
  };
  await session.bind({ [long]: runtime.tensor("float32", [3, 2]) }, outputs).run();
  assert.deepEqual([...outputs.x.data], [1, 1, 1, 1, 1, 1]);
  assert.deepEqual([...outputs.i64.data], [-3n, 2n ** 40n]);
  assert.deepEqual([...outputs.i32.data], [-7, 8]);
  assert.deepEqual([...outputs.bool.data], [0, 1]);
  assert.deepEqual([...outputs.f64.data], [0.1, -1e300]);
});

Deno.test("encodeModel() writes a large constant once and thousands of nodes", async () => {
  const graph = new Graph(), big = new Float32Array(1 << 20).fill(1);
  let y = graph.input("x", f32(1));
  for (let i = 0; i < 3000; i++) y = y.add(i % 7 + i / 3000);
  graph.output("y", y.add(graph.constant(big, [1 << 20]).sum()));
  const bytes = encodeModel(graph);
  assert(bytes.length < big.byteLength + 3000 * 200, `${bytes.length} bytes`);
  const session = await runtime.session(bytes, { optimization: "none" }), result = runtime.tensor("float32", [1]);
  await session.bind({ x: runtime.tensor("float32", [1]) }, { y: result }).run();
  let want = 0;
  for (let i = 0; i < 3000; i++) want = Math.fround(want + Math.fround(i % 7 + i / 3000));
  assert.equal(result.data[0], Math.fround(want + big.length));
});

Deno.test("encodeModel() refuses a graph without outputs", () => {
  assert.throws(() => encodeModel(new Graph()), /Cannot encode a graph without outputs/);
});
