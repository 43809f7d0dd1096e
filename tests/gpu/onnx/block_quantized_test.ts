/** Shapes of products and look-ups by blocks of few bits; their numbers are tested in tests/gpu/weights. */
import assert from "node:assert/strict";
import { blockOf, blocksOf, dequantized, gatherBlocks, matmulBlocks } from "../../../gpu/onnx/block_quantized.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";

/** A matrix [5, 80]: two and a half blocks to a row. */
function matrix(graph: Graph, bits: 4 | 8, more: { width?: number; rows?: number } = {}) {
  const { width = 80, rows = 5 } = more;
  return {
    packed: graph.input("packed", { dtype: "uint8", shape: [rows, 3, 32 * bits / 8] }),
    scales: graph.input("scales", { dtype: "float32", shape: [5, 3] }),
    width,
    bits,
  };
}

Deno.test("products and look-ups have the shapes of the matrix as it is meant, not as it is stored", () => {
  for (const bits of [4, 8] as const) {
    const graph = new Graph(), w = matrix(graph, bits), x = graph.input("x", { dtype: "float32", shape: ["B", 7, 80] });
    assert.deepEqual(matmulBlocks(x, w, true).shape, ["B", 7, 5]);
    assert.deepEqual(gatherBlocks(w, graph.input("ids", { dtype: "int64", shape: ["B", 2] })).shape, ["B", 2, 80]);
    assert.deepEqual(dequantized(w).shape, [5, 80]);
  }
  assert.deepEqual([1, 32, 33, 80, 128, 160, 896].map((width) => blocksOf(width, 8)), [1, 1, 2, 3, 1, 5, 7]);
  assert.deepEqual([32, 128, 896].map((width) => blocksOf(width, 4)), [1, 4, 28]);
  assert.deepEqual([64, 128, 160, 896].map((width) => blockOf(width, 8)), [32, 128, 32, 128]);
});

Deno.test("a product by blocks of other sizes is refused", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2, 80] });
  assert.throws(
    () => matmulBlocks(x, matrix(graph, 4, { width: 64 }), true),
    /Cannot multiply \[2,80\] by \[5,64\] transposed: want \[..,64\]/,
  );
  const other = new Graph(), y = other.input("x", { dtype: "float32", shape: [2, 80] });
  assert.throws(
    () => matmulBlocks(y, matrix(other, 8, { rows: 6 }), false),
    /by blocks \[6,3,32\] with scales \[5,3\]: want \[5,3,32\] and \[5,3\]/,
  );
});

Deno.test("matmulBlocks() asks for products of integers where it is told to, else of float32", () => {
  const levels = [true, false].map((integers) => {
    const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2, 64] });
    const packed = graph.input("packed", { dtype: "uint8", shape: [3, 2, 32] });
    const scales = graph.input("scales", { dtype: "float32", shape: [3, 2] });
    matmulBlocks(x, { packed, scales, width: 64, bits: 8 }, integers);
    return graph.nodes.at(-1)!.attributes["accuracy_level"];
  });
  assert.deepEqual(levels, [4, 1]);
});
