/** The graph builder: sharing, names, outputs. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

const f32 = (...shape: number[]) => ({ dtype: "float32", shape }) as const;

Deno.test("Graph.constant() stores small equal constants once, and tells dtype, shape and -0 apart", () => {
  const graph = new Graph();
  assert.equal(graph.scalar(2), graph.scalar(2));
  assert.equal(graph.int64([1, 2]), graph.int64([1, 2]));
  assert.notEqual(graph.scalar(2), graph.scalar(2, "float64"));
  assert.notEqual(graph.scalar(0), graph.scalar(-0));
  assert.notEqual(graph.numbers([2]), graph.scalar(2));
  assert.notEqual(graph.constant(new Float32Array(100), [100]), graph.constant(new Float32Array(100), [100]));
});

Deno.test("Graph.constant() refuses a wrong size or array", () => {
  const graph = new Graph();
  assert.throws(
    () => graph.constant(new Float32Array(3), [2]),
    /Cannot make a constant of shape \[2\]: got 3 elements, want 2/,
  );
  assert.throws(() => graph.constant(new Float32Array(2), [2], "int64"), /want BigInt64Array/);
});

Deno.test("Graph.emit() emits equal nodes once", () => {
  const graph = new Graph(), x = graph.input("x", f32(2));
  assert.equal(x.neg(), x.neg());
  assert.notEqual(x.softmax(0), x.exp());
  assert.equal(x.add(1), x.add(1));
  assert.equal(graph.nodes.length, 4);
});

Deno.test("Graph.emit() refuses a value of another graph", () => {
  const a = new Graph().input("a", f32(2)), b = new Graph().input("b", f32(2));
  assert.throws(() => a.add(b), /Cannot use "b" in Add: it belongs to another graph/);
});

Deno.test("Graph.output() renames a node's value, and adds an Identity for inputs, constants and second names", () => {
  const graph = new Graph(), x = graph.input("x", f32(2)), y = x.exp();
  graph.output("y", y);
  assert.equal(y.name, "y");
  assert.equal(graph.nodes.length, 1);
  graph.output("again", y);
  graph.output("same", x);
  graph.output("also the same", x);
  assert.deepEqual(graph.nodes.map(({ op }) => op), ["Exp", "Identity", "Identity", "Identity"]);
  assert.deepEqual(graph.outputs.map(({ name }) => name), ["y", "again", "same", "also the same"]);
});

Deno.test("Graph refuses one name for two inputs or outputs", () => {
  const graph = new Graph(), x = graph.input("x", f32(2));
  assert.throws(() => graph.input("x", f32(2)), /Cannot name a tensor "x"/);
  assert.throws(() => graph.output("x", x.exp()), /Cannot name a tensor "x"/);
});

Deno.test("Graph.data() reads constants only", () => {
  const graph = new Graph();
  assert.deepEqual(graph.data(graph.int64([3, -1])), [3, -1]);
  assert.throws(() => graph.data(graph.input("x", f32(2))), /Cannot read "x" while building the graph/);
});

Deno.test("Graph.lowering() chooses by provider and dtype", () => {
  const ops = (provider: "cpu" | "cuda", dtype: "float32" | "float64") => {
    const graph = new Graph({ provider }), x = graph.input("x", { dtype, shape: [2, 4] });
    x.silu();
    x.matmul(x, { transposeB: true });
    x.logSoftmax();
    return graph.nodes.map(({ op }) => op);
  };
  const plain = ["Sigmoid", "Mul", "Transpose", "MatMul"];
  assert.deepEqual(ops("cpu", "float32"), ["QuickGelu", "FusedMatMul", "LogSoftmax"]);
  assert.deepEqual(ops("cpu", "float64"), [...plain, "LogSoftmax"]);
  assert.deepEqual(ops("cuda", "float64"), [
    ...plain,
    "ReduceMax",
    "StopGradient",
    "Sub",
    "Exp",
    "ReduceSum",
    "Log",
    "Sub",
  ]);
});

Deno.test("a concealed shape is a constant that ONNX Runtime may be given another value for, and changes no number", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [6] });
  const y = x.reshape([2, 3], { concealed: true });
  assert.deepEqual(y.shape, [2, 3]);
  assert.equal(x.reshape([2, 3], { concealed: true }), y, "made once");
  assert.notEqual(x.reshape([2, 3]), y);
  assert.notEqual(x.reshape([6], { concealed: true }), x, "also where the shape stays");
  graph.output("z", y.transpose([1, 0]));
  const { z } = await runGraph(graph, { x: floats([6], [1, 2, 3, 4, 5, 6]) }, { z: [3, 2] });
  assert.deepEqual(z, [1, 4, 2, 5, 3, 6]);
});
