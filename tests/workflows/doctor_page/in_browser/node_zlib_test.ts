import assert from "node:assert/strict";
import * as zlib from "node:zlib";
import {
  brotliDecompressSync,
  crc32,
  gunzipSync,
  zstdDecompressSync,
} from "../../../../workflows/doctor_page/in_browser/node_zlib.ts";

Deno.test("crc32() is Node's, of a whole and of parts", () => {
  const bytes = new TextEncoder().encode("123456789"), [head, tail] = [bytes.subarray(0, 4), bytes.subarray(4)];
  assert.equal(crc32(bytes), 0xcbf43926);
  assert.equal(crc32(tail, crc32(head)), zlib.crc32(bytes));
  assert.equal(crc32(new Uint8Array()), 0);
});

Deno.test("what a browser cannot unpack at once says so", () => {
  assert.throws(gunzipSync, /packed with gzip, want Snappy or none, or the command line/);
  assert.throws(brotliDecompressSync, /brotli/);
  assert.throws(zstdDecompressSync, RangeError);
});
