import assert from "node:assert/strict";
import { same } from "./same.ts";

Deno.test("same() passes for equal values, as assert.deepEqual does", () => {
  same([1, { a: NaN }], [1, { a: NaN }]);
  same(new Map([["w", Float32Array.of(1, 2)]]), new Map([["w", Float32Array.of(1, 2)]]));
});

Deno.test("same() names the first difference, also of a million weights", () => {
  const weights = new Float32Array(1e6), other = weights.map((_, i) => i < 17 ? 0 : 1);
  assert.throws(() => same(weights, other, "weights"), /^AssertionError.*: weights\[17\] is 0, want 1$/);
  const tensors = (value: number) => new Map([["w", { shape: [2], data: Float32Array.of(0, value) }]]);
  assert.throws(() => same(tensors(1), tensors(2)), /value\[w\]\[data\]\[1\] is 1, want 2/);
  assert.throws(() => same([1], [1, 2]), /value has 1 members, want 2/);
  assert.throws(() => same({ a: 1 }, { b: 1 }), /value has no b/);
  assert.throws(() => same(0, -0), /value is 0, want -0/);
});
