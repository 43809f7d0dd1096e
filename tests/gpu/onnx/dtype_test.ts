/** Element types. */
import assert from "node:assert/strict";
import { dtypeOf, DTYPES, isFloat, sizeOf, typedArray } from "../../../gpu/onnx/dtype.ts";

Deno.test("DTYPES agrees with the ONNX codes and with the arrays' own element sizes", () => {
  const codes = Object.fromEntries(Object.entries(DTYPES).map(([name, { code }]) => [name, code]));
  // onnx.proto, TensorProto.DataType
  assert.deepEqual(codes, { float32: 1, uint8: 2, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11 });
  for (const { array, bytes } of Object.values(DTYPES)) assert.equal(array.BYTES_PER_ELEMENT, bytes);
});

Deno.test("typedArray() makes zeros or numbers, and dtypeOf() reads the type back", () => {
  assert.deepEqual(typedArray("float64", 2), new Float64Array(2));
  assert.deepEqual(typedArray("int64", [1, -2]), BigInt64Array.of(1n, -2n));
  assert.equal(dtypeOf(typedArray("int32", [1])), "int32");
  assert.equal(dtypeOf(typedArray("float16", 1)), "float16");
  assert.throws(() => typedArray("float16", [1]), /Cannot write numbers as float16/);
});

Deno.test("sizeOf() multiplies numbers and refuses a name", () => {
  assert.equal(sizeOf([]), 1);
  assert.equal(sizeOf([2, 0, 3]), 0);
  assert.throws(() => sizeOf(["B", 3]), /Cannot size \[B,3\]: dimension "B" is symbolic/);
});

Deno.test("isFloat() is true of the three float types only", () => {
  const floats = Object.keys(DTYPES).filter((name) => isFloat(name as keyof typeof DTYPES));
  assert.deepEqual(floats.sort(), ["float16", "float32", "float64"]);
});
