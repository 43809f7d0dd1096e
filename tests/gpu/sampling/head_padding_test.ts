import assert from "node:assert/strict";
import type { ModelConfig } from "../../../gpu/models/config.ts";
import { cacheHeadDim, narrowHeads, widenHeads, widenTable } from "../../../gpu/sampling/head_padding.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

const config = { headDim: 6, partialRotary: 1 } as ModelConfig;

Deno.test("cacheHeadDim() is the next multiple of 16, also of what is rotated", () => {
  const sizes = [2, 16, 24, 32, 80, 100].map((headDim) => cacheHeadDim({ headDim, partialRotary: 1 }));
  assert.deepEqual(sizes, [16, 16, 32, 32, 80, 112]);
  assert.equal(cacheHeadDim({ headDim: 128, partialRotary: 0.75 }), 128); // 96 rotated, 32 not
  assert.equal(cacheHeadDim({ headDim: 32, partialRotary: 0.25 }), 48); // 8 as 16, and 24 that are not
});

Deno.test("widenHeads() fills up what is rotated and what is not apart, and narrowHeads() takes that back", async () => {
  const partial = { headDim: 6, partialRotary: 4 / 6 } as ModelConfig, graph = new Graph();
  const x = graph.input("x", { dtype: "float32", shape: [1, 12] }), wide = widenHeads(x, partial);
  graph.output("wide", wide);
  graph.output("narrow", narrowHeads(wide, partial));
  const values = Array.from({ length: 12 }, (_, i) => i + 1), zeros = (count: number) => Array(count).fill(0);
  const got = await runGraph(graph, { x: floats([1, 12], values) }, { wide: [1, 64], narrow: [1, 12] });
  const head = (from: number) => [
    ...[from, from + 1, ...zeros(6)],
    ...[from + 2, from + 3, ...zeros(6)],
    ...[from + 4, from + 5, ...zeros(14)],
  ];
  assert.deepEqual([...got.wide!], [...head(1), ...head(7)]);
  assert.deepEqual([...got.narrow!], values);
});

Deno.test("widenHeads() fills up both halves of each head, and narrowHeads() takes that back", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [1, 12] });
  const wide = widenHeads(x, config);
  graph.output("wide", wide);
  graph.output("narrow", narrowHeads(wide, config));
  const table = x.reshape([4, 3]);
  graph.output("table", widenTable({ cos: table, sin: table }, config).sin);
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
  const own = { headDim: 32, partialRotary: 1 } as ModelConfig, table = { cos: x, sin: x };
  assert.equal(widenHeads(x, own), x);
  assert.equal(narrowHeads(x, own), x);
  assert.equal(widenTable(table, own).cos, x);
});
