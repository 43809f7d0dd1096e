/** Element types. @module */
import assert from "node:assert/strict";
import { DTYPES, float32ToBfloat16 } from "../../../data/hub/dtypes.ts";

const bytes = (array: ArrayBufferView<ArrayBuffer>) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** What a type's bytes become. */
function read(dtype: "F64" | "F16" | "BF16" | "I64" | "I8", array: ArrayBufferView<ArrayBuffer>): Float32Array {
  const out = new Float32Array(array.byteLength / DTYPES[dtype].bytes);
  DTYPES[dtype].toFloat32(bytes(array), out);
  return out;
}

Deno.test("each number type becomes float32", () => {
  assert.deepEqual(read("F64", Float64Array.of(0.1)), Float32Array.of(0.1));
  assert.deepEqual(read("F16", Uint16Array.of(0x3c00, 0xfc00)), Float32Array.of(1, -Infinity));
  assert.deepEqual(read("BF16", Uint16Array.of(0x3f80, 0xc000)), Float32Array.of(1, -2));
  assert.deepEqual(read("I64", BigInt64Array.of(-3n)), Float32Array.of(-3));
  assert.deepEqual(read("I8", Int8Array.of(-3)), Float32Array.of(-3));
});

Deno.test("every float16 becomes the float32 that the engine makes of it", () => {
  const all = Uint16Array.from({ length: 65_536 }, (_, i) => i);
  assert.deepEqual(read("F16", all), Float32Array.from(new Float16Array(all.buffer)));
});

Deno.test("float32ToBfloat16() rounds the largest float32 to infinity and keeps every NaN a NaN", () => {
  assert.deepEqual([...float32ToBfloat16(Float32Array.of(3.4028234663852886e38, 1))], [0x7f80, 0x3f80]);
  const quiet = float32ToBfloat16(new Float32Array(Uint32Array.of(0x7f800001).buffer));
  assert.ok((quiet[0]! & 0x7f80) === 0x7f80 && (quiet[0]! & 0x7f) !== 0);
});
