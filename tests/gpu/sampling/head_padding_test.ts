import assert from "node:assert/strict";
import type { ModelConfig } from "../../../gpu/models/config.ts";
import { narrowHeads, widenHeads, widenTable } from "../../../gpu/sampling/head_padding.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

const config = { headDim: 6 } as ModelConfig;

Deno.test("widenHeads() fills up both halves of each head, and narrowHeads() takes that back", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [1, 12] });
  const wide = widenHeads(x, config);
  graph.output("wide", wide);
  graph.output("narrow", narrowHeads(wide, config));
  graph.output("table", widenTable(x.reshape([4, 3]), config));
  const values = Array.from({ length: 12 }, (_, i) => i + 1);
  const got = await runGraph(graph, { x: floats([1, 12], values) }, { wide: [1, 32], narrow: [1, 12], table: [4, 8] });
  const zeros = Array(5).fill(0);
  const halves = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]].flatMap((half) => [...half, ...zeros]);
  assert.deepEqual([...got.wide!], halves);
  assert.deepEqual([...got.narrow!], values);
  assert.deepEqual([...got.table!], halves);
});

Deno.test("widenHeads() and narrowHeads() leave a head with a kernel alone", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: ["B", 64] });
  const own = { headDim: 32 } as ModelConfig;
  assert.equal(widenHeads(x, own), x);
  assert.equal(narrowHeads(x, own), x);
  assert.equal(widenTable(x, own), x);
});
