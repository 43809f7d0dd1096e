import assert from "node:assert/strict";
import { DeviceError, requireDevice } from "../../../workflows/preflight/device.ts";

const MISSING = () => ({ ok: false, missing: "libcuda.so.1 is missing", fix: "install a driver" }) as const;

Deno.test("requireDevice() takes auto and cpu anywhere, and cuda where it is", () => {
  requireDevice({ device: "auto", backend: null }, MISSING);
  requireDevice({ device: "cpu", backend: "napi" }, MISSING);
  requireDevice({ device: "cuda", backend: "ffi" }, () => ({ ok: true }));
});

Deno.test("requireDevice() says in one line what is missing and what to do", () => {
  const refused = (device: "cuda" | "webgpu", backend: "ffi" | "napi" | null) => {
    let message = "";
    assert.throws(() => requireDevice({ device, backend }, MISSING), (error) => {
      assert(error instanceof DeviceError);
      message = error.message;
      return true;
    });
    assert(!message.includes("\n"));
    return message;
  };
  assert.equal(refused("cuda", null), 'Cannot use device "cuda": libcuda.so.1 is missing; install a driver');
  assert.match(refused("cuda", "napi"), /want backend ffi$/);
  assert.match(refused("webgpu", null), /want auto, cpu or cuda$/);
});
