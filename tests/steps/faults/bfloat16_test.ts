import assert from "node:assert/strict";
import { toBfloat16 } from "../../../steps/faults/bfloat16.ts";

Deno.test("toBfloat16() keeps 8 significant bits and rounds ties to even", () => {
  const step = 2 ** -7; // from 1 to the next bfloat16
  const values = Float32Array.of(1, 1 + 0.4 * step, 1 + 0.6 * step, 1 + 0.5 * step, 1 + 1.5 * step, -3.1415927, 0);
  toBfloat16(values);
  assert.deepEqual([...values], [1, 1, 1 + step, 1, 1 + 2 * step, -3.140625, 0]);
});

Deno.test("toBfloat16() swallows an update that is small beside the weight", () => {
  const weight = Float32Array.of(0.5 + 1e-4);
  toBfloat16(weight);
  assert.equal(weight[0], 0.5);
});
