import assert from "node:assert/strict";
import { join } from "node:path";
import { safetensorsChunks, writeSafetensors } from "../../../data/hub/safetensors_write.ts";
import { openSafetensors } from "../../../data/hub/safetensors_read.ts";

const TENSORS = new Map([
  ["w", { shape: [1, 2], data: Float32Array.of(1, -2) }],
  ["1", { shape: [], data: Float32Array.of(0.5) }],
]);

function bytesOf(...given: Parameters<typeof safetensorsChunks>): Uint8Array {
  const chunks = [...safetensorsChunks(...given)];
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

Deno.test("safetensorsChunks() writes the format by hand: length, header in the map's order, values", () => {
  const bytes = bytesOf(TENSORS);
  const header = '{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},' +
    '"1":{"dtype":"F32","shape":[],"data_offsets":[8,12]}}';
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  assert.equal(length % 8, 0);
  assert.equal(new TextDecoder().decode(bytes.subarray(8, 8 + length)).trimEnd(), header);
  // 1, -2, 0.5 as little-endian float32
  assert.deepEqual([...bytes.subarray(8 + length)], [0, 0, 128, 63, 0, 0, 0, 192, 0, 0, 0, 63]);
});

Deno.test("safetensorsChunks() stores 16 bits on demand: bfloat16 cuts to the nearest even, float16 has its own range", () => {
  const data = new Map([["w", { shape: [3], data: Float32Array.of(1.00390625, 1.01171875, 70000) }]]);
  const values = (dtype: "BF16" | "F16") => {
    const bytes = bytesOf(data, { dtype });
    return [...new Uint16Array(bytes.slice(-6).buffer)];
  };
  // 1 + 1/256 lies between 1 and 1 + 1/128: to even is 1 (0x3f80); 1 + 3/256 between 1 + 1/128 and 1 + 2/128: 0x3f82
  assert.deepEqual(values("BF16"), [0x3f80, 0x3f82, 0x4789]);
  assert.deepEqual(values("F16"), [0x3c04, 0x3c0c, 0x7c00]);
});

Deno.test("safetensorsChunks() refuses a shape that does not fit and the reserved name", () => {
  const wrong = new Map([["w", { shape: [2, 2], data: new Float32Array(3) }]]);
  assert.throws(() => bytesOf(wrong), /Cannot write tensor "w": \[2,2\] has 4 elements, its data 3/);
  const taken = new Map([["__metadata__", { shape: [0], data: new Float32Array(0) }]]);
  assert.throws(() => bytesOf(taken), /the name is taken by the format/);
});

Deno.test("writeSafetensors() writes what openSafetensors() reads, and no file when it fails", () => {
  const folder = Deno.makeTempDirSync(), path = join(folder, "x.safetensors");
  try {
    writeSafetensors(path, TENSORS, { metadata: { format: "pt", of: "test" } });
    const read = openSafetensors(path);
    assert.deepEqual(read.float32("w"), Float32Array.of(1, -2));
    read.close();
    const wrong = new Map([["w", { shape: [9], data: new Float32Array(3) }]]);
    assert.throws(() => writeSafetensors(path, wrong));
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
