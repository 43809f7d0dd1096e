/** Device memory on the CPU. */
import assert from "node:assert/strict";
import { CApi } from "../../../gpu/ort/c_api.ts";
import { ALIGNMENT, CpuDevice, CudaDevice, slice } from "../../../gpu/ort/device_memory.ts";
import { libraryPath } from "../../../gpu/ort/library.ts";
import { disableTelemetry } from "../../../gpu/ort/telemetry.ts";

disableTelemetry("ffi");
const api = new CApi(libraryPath());

Deno.test("CpuDevice aligns memory, moves bytes in and out, and slices without copying", () => {
  const device = new CpuDevice(api), a = device.alloc(10), b = device.alloc(10);
  for (const memory of [a, b, device.alloc(0)]) {
    assert.equal(Deno.UnsafePointer.value(memory.pointer) % BigInt(ALIGNMENT), 0n);
  }
  device.upload(b, Uint8Array.from({ length: 10 }, (_, i) => i));
  const part = slice(b, 3, 4);
  device.upload(part, Uint8Array.of(9, 9, 9, 9));
  const out = new Uint8Array(10);
  device.download(out, b);
  assert.deepEqual([...out], [0, 1, 2, 9, 9, 9, 9, 7, 8, 9]);
  assert.equal(new Deno.UnsafePointerView(part.pointer).getUint8(), 9, "C sees the same byte");
  device.release();
});

Deno.test("slice() refuses to leave its memory", () => {
  const device = new CpuDevice(api), memory = device.alloc(8);
  assert.throws(() => slice(memory, 4, 5), /Cannot view bytes 4\.\.9 of a tensor: it has 8/);
  assert.throws(() => slice(memory, -1, 2), RangeError);
  device.release();
});

Deno.test("CudaDevice fails where libcudart is absent", () => {
  assert.throws(() => new CudaDevice(api, "/no/such/libcudart.so.13"), /libcudart/);
});
