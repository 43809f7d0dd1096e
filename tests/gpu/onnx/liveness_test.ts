import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
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
  for (let i = 0; i < 20; i++) y = y.tanh();
  graph.output("y", y);
  assert.equal(runBytes(graph).live, 2 * 400);
});
