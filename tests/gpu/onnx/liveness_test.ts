import assert from "node:assert/strict";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { runBytes, runOrder } from "../../../gpu/onnx/liveness.ts";
import { reachable } from "../../../gpu/onnx/proto.ts";

const vector = (graph: Graph, name: string, n = 100) => graph.input(name, { dtype: "float32", shape: [n] });

Deno.test("runOrder() begins at the last node that nothing reads, and before a node runs what it reads, the last first", () => {
  const graph = new Graph(), x = vector(graph, "x");
  const a = x.exp(), b = x.tanh();
  graph.output("early", b.neg());
  graph.output("late", a.add(b));
  const { nodes, resolve } = reachable(graph, new Set(graph.outputs));
  assert.deepEqual(runOrder(nodes, resolve).map(({ op }) => op), ["Tanh", "Exp", "Add", "Neg"]);
});

Deno.test("runBytes() counts what lives at once, without inputs and outputs", () => {
  const graph = new Graph(), x = vector(graph, "x");
  // tanh stays for the product, while sigmoid and then its transpose and the exponentials come and go.
  const a = x.tanh(), b = a.sigmoid().reshape([10, 10]).transpose([1, 0]);
  graph.output("y", b.reshape([100]).mul(a.exp()));
  assert.deepEqual(runBytes(graph), { live: 3 * 400, arena: 3 * 512 });
});

Deno.test("runBytes() counts no view: what is reshaped and read again is one value", () => {
  const graph = new Graph();
  graph.output("y", vector(graph, "x").tanh().reshape([10, 10]).transpose([1, 0]));
  assert.equal(runBytes(graph).live, 400);
});

Deno.test("runBytes() is the memory of the longest link of a chain, not of the chain", () => {
  const graph = new Graph(), x = vector(graph, "x");
  let y = x;
  for (let i = 0; i < 20; i++) y = y.exp();
  graph.output("y", y);
  assert.equal(runBytes(graph).live, 2 * 400);
});

Deno.test("runBytes() has tanh, softmax and a few others written over what nothing else reads", () => {
  const live = (after: (x: Value) => Value) => {
    const graph = new Graph();
    graph.output("y", after(vector(graph, "x").exp()).sum());
    return runBytes(graph).live;
  };
  assert.equal(live((x) => x.tanh()), 400);
  assert.equal(live((x) => x.reshape([10, 10]).softmax()), 400);
  assert.equal(live((x) => x.neg()), 800);
  assert.equal(live((x) => x.tanh().add(x)), 3 * 400, "x is read again");
});

/** A vector that is read at once and another at the end, with more than both in between. */
function farApart(concealed: boolean, width = 100): Graph {
  const graph = new Graph(), x = vector(graph, "x"), y = vector(graph, "y", width);
  const early = (x: Value) => x.reshape([10, 10], { concealed }).exp().sum();
  const between = early(x).expand([1000]).exp().sum();
  graph.output("z", y.add(between).reshape([10, width / 10], { concealed }).exp().sum());
  return graph;
}

Deno.test("runBytes() keeps the place of what is read for the next of that shape, as ONNX Runtime does", () => {
  const between = 2 * 4000; // the expanded sum and its exponentials
  assert.equal(runBytes(farApart(false)).live, between + 400);
  assert.equal(runBytes(farApart(false, 90)).live, between, "another shape");
  assert.equal(runBytes(farApart(true)).live, between, "a shape that is not told");
});

Deno.test("runBytes() counts what Where holds besides its output", () => {
  const graph = new Graph(), x = vector(graph, "x");
  graph.output("y", x.greater(0).where(x, 0).sum());
  assert.equal(runBytes(graph).live, 100 + 3 * 400);
});
