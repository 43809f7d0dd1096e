/** Element types. @module */
import assert from "node:assert/strict";
import { DTYPES, float32ToBfloat16 } from "../../../data/hub/dtypes.ts";

const bytes = (array: ArrayBufferView<ArrayBuffer>) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

Deno.test("each number type becomes float32", () => {
  assert.deepEqual(DTYPES.F64.toFloat32(bytes(Float64Array.of(0.1))), Float32Array.of(0.1));
  assert.deepEqual(DTYPES.F16.toFloat32(bytes(Uint16Array.of(0x3c00, 0xfc00))), Float32Array.of(1, -Infinity));
  assert.deepEqual(DTYPES.BF16.toFloat32(bytes(Uint16Array.of(0x3f80, 0xc000))), Float32Array.of(1, -2));
  assert.deepEqual(DTYPES.I64.toFloat32(bytes(BigInt64Array.of(-3n))), Float32Array.of(-3));
  assert.deepEqual(DTYPES.I8.toFloat32(bytes(Int8Array.of(-3))), Float32Array.of(-3));
});

Deno.test("float32ToBfloat16() rounds the largest float32 to infinity and keeps every NaN a NaN", () => {
  assert.deepEqual([...float32ToBfloat16(Float32Array.of(3.4028234663852886e38, 1))], [0x7f80, 0x3f80]);
  const quiet = float32ToBfloat16(new Float32Array(Uint32Array.of(0x7f800001).buffer));
  assert.ok((quiet[0]! & 0x7f80) === 0x7f80 && (quiet[0]! & 0x7f) !== 0);
});
