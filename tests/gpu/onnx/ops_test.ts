/** The op table's own rules; the derivatives are checked in autodiff/gradients_test.ts. */
import assert from "node:assert/strict";
import { type OpDefinition, OPS } from "../../../gpu/onnx/ops.ts";

const entries = Object.entries(OPS) as [string, OpDefinition][];

Deno.test("OPS: comparisons, logic and integer results block the gradient", () => {
  const blocked = entries.filter(([, { gradient }]) => gradient === null).map(([name]) => name);
  for (const name of ["Greater", "Equal", "IsNaN", "ArgMax", "StopGradient"]) {
    assert(blocked.includes(name), `${name} has a gradient`);
  }
  assert(!blocked.includes("MatMul"));
});

Deno.test("OPS: only ONNX Runtime's own ops are outside the standard domain", () => {
  const contrib = entries.filter(([, { domain }]) => domain).map(([name]) => name).sort();
  assert.deepEqual(contrib, [
    "FastGelu",
    "FusedMatMul",
    "GatherBlockQuantized",
    "GroupQueryAttention",
    "MatMulNBits",
    "QuickGelu",
    "RotaryEmbedding",
    "SkipSimplifiedLayerNormalization",
  ]);
});

Deno.test("OPS: StopGradient is written as Identity", () => {
  assert.deepEqual(entries.filter(([, { onnx }]) => onnx).map(([name, { onnx }]) => [name, onnx]), [[
    "StopGradient",
    "Identity",
  ]]);
});
