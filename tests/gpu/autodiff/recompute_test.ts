/** Parts that the backward pass computes again: the same numbers, less kept, and the order that this needs. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { runBytes } from "../../../gpu/onnx/liveness.ts";
import { floats, runGraph } from "../run_graph.ts";

const WIDTH = 64, DEPTH = 6;

/** A chain of parts, each with a weight and five values that its derivative reads. */
function chain(recomputed: boolean): Graph {
  const graph = new Graph(),
    shape = [WIDTH, WIDTH],
    read = (name: string) => graph.input(name, { dtype: "float32", shape });
  const weights = Array.from({ length: DEPTH }, (_, i) => read(`w${i}`));
  let x: Value = read("x").mul(1);
  for (const w of weights) {
    const from = graph.nodes.length, y = x.mul(w);
    x = x.add(y.tanh().mul(y.sigmoid()).mul(y.mul(0.1).exp()));
    if (recomputed) graph.recompute(from);
  }
  const loss = x.mul(x).sum();
  gradients(loss, weights).forEach((dw, i) => graph.output(`dw${i}`, dw));
  graph.output("loss", loss.reshape([1]));
  return graph;
}

Deno.test("gradients() of recomputed parts are bitwise those of parts that are kept", async () => {
  const value = (seed: number) => Array.from({ length: WIDTH * WIDTH }, (_, i) => Math.sin(seed + i * 0.37));
  const shape = [WIDTH, WIDTH], names = ["x", ...Array.from({ length: DEPTH }, (_, i) => `w${i}`)];
  const inputs = Object.fromEntries(names.map((name, i) => [name, floats(shape, value(i))]));
  const outputs = Object.fromEntries([["loss", [1]], ...names.slice(1).map((name) => [`d${name}`, shape] as const)]);
  const [kept, again] = [await runGraph(chain(false), inputs, outputs), await runGraph(chain(true), inputs, outputs)];
  assert.deepEqual(again, kept);
  assert(kept.dw3!.some((x) => Math.abs(x) > 1e-3));
});

Deno.test("a chain of recomputed parts keeps what each reads, and the values of one part at a time", () => {
  const one = WIDTH * WIDTH * 4, kept = runBytes(chain(false)).live / one, again = runBytes(chain(true)).live / one;
  assert(kept > 5 * DEPTH, `${kept}`);
  assert(again < 2 * DEPTH + 10, `${again}`);
});

Deno.test("parts side by side, as those of a head in chunks, are computed again one after the other", () => {
  const live = (count: number) => {
    const graph = new Graph(), read = (name: string, shape: number[]) => graph.input(name, { dtype: "float32", shape });
    const rows = read("x", [count * 8, 16]).mul(2).split(0, Array<number>(count).fill(8)), w = read("w", [16, 2048]);
    const sums = rows.map((row) => {
      const from = graph.nodes.length, sum = row.matmul(w).exp().mul(0.5).exp().sum([1]);
      graph.recompute(from);
      return sum;
    });
    const loss = sums[0]!.concat(sums.slice(1), 0).exp().sum(), [x] = graph.inputs;
    gradients(loss, [x!, w]).forEach((dx, i) => graph.output(`d${i}`, dx));
    return runBytes(graph).live / (8 * 2048 * 4);
  };
  assert(live(32) < live(8) + 1, `${live(32)}, ${live(8)}`);
});

/** Two parts, each of four parts within, with what it reads of itself besides. */
function nested(marked: "none" | "outer" | "both"): Graph {
  const graph = new Graph(), read = (name: string) => graph.input(name, { dtype: "float32", shape: [WIDTH, WIDTH] });
  const weights = [read("w0"), read("w1")];
  let x: Value = read("x").mul(1);
  for (const w of weights) {
    const from = graph.nodes.length, y = x.mul(w).tanh(), sums: Value[] = [];
    for (let i = 1; i <= 4; i++) {
      const start = graph.nodes.length, scores = y.mul(0.1 * i).exp();
      sums.push(scores.mul(scores.sigmoid()).mul(scores.tanh()).mul(y).sum([1]));
      if (marked === "both") graph.recompute(start);
    }
    x = x.add(sums[0]!.concat(sums.slice(1), 1).sum([1]).mul(0.01).tanh());
    if (marked !== "none") graph.recompute(from);
  }
  const loss = x.mul(x).sum();
  gradients(loss, weights).forEach((dw, i) => graph.output(`dw${i}`, dw));
  return graph;
}

Deno.test("gradients() of parts within recomputed parts are bitwise the same, and of these one is kept at a time", async () => {
  const shape = [WIDTH, WIDTH],
    value = (seed: number) => Array.from({ length: WIDTH ** 2 }, (_, i) => Math.sin(seed + i));
  const inputs = { x: floats(shape, value(0)), w0: floats(shape, value(1)), w1: floats(shape, value(2)) };
  const outputs = { dw0: shape, dw1: shape };
  const none = await runGraph(nested("none"), inputs, outputs);
  assert.deepEqual(await runGraph(nested("outer"), inputs, outputs), none);
  assert.deepEqual(await runGraph(nested("both"), inputs, outputs), none);
  assert(none.dw0!.some((x) => Math.abs(x) > 1e-3));
  const one = WIDTH * WIDTH * 4, live = (marked: "outer" | "both") => runBytes(nested(marked)).live / one;
  assert(live("outer") > 4 * 4, `${live("outer")}`);
  assert(live("both") < live("outer") - 3, `${live("both")}, ${live("outer")}`);
});

Deno.test("after() is the value bit for bit, with whatever it waits for", async () => {
  const graph = new Graph(), read = (name: string, shape: number[]) => graph.input(name, { dtype: "float32", shape });
  const x = read("x", [2, 2]);
  graph.output("y", x.after([read("a", [3]), read("b", [2, 1])]));
  assert.equal(x.after([]), x);
  const given = [1.5, 1e-42, NaN, -Infinity];
  for (const a of [0, NaN, -Infinity]) {
    const fed = { x: floats([2, 2], given), a: floats([3], [a, 1, 2]), b: floats([2, 1], [7, 8]) };
    const { y } = await runGraph(graph, fed, { y: [2, 2] });
    assert(y!.every((value, i) => Object.is(value, Math.fround(given[i]!))), `${y}`);
  }
});

Deno.test("recompute() takes parts within and refuses those that overlap", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2] });
  const y = x.exp().log();
  graph.recompute(1);
  graph.recompute(0);
  assert.deepEqual(graph.recomputed, [{ from: 0, to: 2, within: [{ from: 1, to: 2, within: [] }] }]);
  y.exp();
  assert.throws(
    () => graph.recompute(1),
    /^RangeError: Cannot recompute from node 1: the part before it ends at node 2$/,
  );
});
