/** Numbers without a copy. */
import assert from "node:assert/strict";
import { numbersOf } from "../../../gpu/ort/numbers.ts";
import type { Tensor } from "../../../gpu/session.ts";

Deno.test("numbersOf() gives the memory itself on the CPU, and a copy of what lies on a GPU", () => {
  const data = Float32Array.of(1, 2, 3);
  const tensor = {
    size: 3,
    dtype: "float32",
    data,
    download: (into: Float32Array) => (into.set(data), into),
  } as unknown as Tensor;
  assert.equal(numbersOf({ device: "cpu" }, tensor), data);
  const copy = numbersOf({ device: "cuda" }, tensor);
  assert.deepEqual([...copy], [1, 2, 3]);
  assert.notEqual(copy, data);
});
