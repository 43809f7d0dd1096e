/** Nodes as the graph records them. */
import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import type { Node } from "../../../gpu/onnx/node.ts";

Deno.test("a Node knows its op, inputs, attributes, outputs and place", () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [2, 6] });
  const [a, b] = x.split(1, [2, 4]), y = b!.clip(null, 1);
  const node: Node = a!.node!;
  assert.equal(node, b!.node);
  assert.deepEqual([node.op, node.attributes, node.index], ["Split", { axis: 1 }, 0]);
  assert.deepEqual([node.outputs, b!.outputIndex], [[a, b], 1]);
  assert.equal(y.node!.inputs[1], null, "an input left out");
  assert.equal(y.node!.index, 1);
});
