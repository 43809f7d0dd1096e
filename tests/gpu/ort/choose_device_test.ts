import assert from "node:assert/strict";
import { chooseRuntime, DeviceError, requireDevice } from "../../../gpu/ort/choose_device.ts";

const none = () => {
  throw new Error("nobody asked");
};
const there = () => null;
const found = () => ({ ok: true, library: "ort.so", cudart: "cudart.so", lines: [] }) as const;
const missing = () => ({ ok: false, missing: "libcuda.so.1 is missing", fix: "install a driver", lines: [] }) as const;

Deno.test("chooseRuntime() takes what is asked for without looking at the machine", () => {
  const machine = { ffi: none, cuda: none };
  for (const device of ["cpu", "cuda"] as const) {
    for (const backend of ["ffi", "napi"] as const) {
      assert.deepEqual(chooseRuntime({ backend, device }, machine), { backend, device, notes: [] });
    }
  }
});

Deno.test("chooseRuntime() prefers ffi and CUDA where they are there, silently", () => {
  const choice = chooseRuntime({ backend: null, device: "auto" }, { ffi: there, cuda: found });
  assert.deepEqual(choice, { backend: "ffi", device: "cuda", notes: [] });
});

Deno.test("chooseRuntime() says in one line each what it fell back to, and why", () => {
  assert.deepEqual(
    chooseRuntime({ backend: null, device: "auto" }, { ffi: there, cuda: missing }),
    { backend: "ffi", device: "cpu", notes: ["device: cpu (cuda not used: libcuda.so.1 is missing)"] },
  );
  assert.deepEqual(chooseRuntime({ backend: null, device: "auto" }, { ffi: () => "no library", cuda: none }), {
    backend: "napi",
    device: "cpu",
    notes: [
      "backend: napi (ffi not used: no library)",
      "device: cpu (cuda not used: the napi backend has no device memory)",
    ],
  });
});

Deno.test("chooseRuntime() finds the library that the project ships", () => {
  assert.equal(chooseRuntime({ backend: null, device: "cpu" }).backend, "ffi");
});

Deno.test("requireDevice() takes auto and cpu anywhere, and gives the files of cuda where it is", () => {
  assert.equal(requireDevice({ device: "auto", backend: null }, { cuda: missing }), null);
  assert.equal(requireDevice({ device: "cpu", backend: "napi" }, { cuda: missing }), null);
  assert.equal(requireDevice({ device: "cuda", backend: "ffi" }, { cuda: found })!.library, "ort.so");
});

Deno.test("requireDevice() says in one line what is missing and what to do", () => {
  const refused = (backend: "napi" | null, message: RegExp) =>
    assert.throws(
      () => requireDevice({ device: "cuda", backend }, { cuda: missing }),
      (error) => error instanceof DeviceError && message.test(error.message),
    );
  refused(null, /^Cannot use device "cuda": libcuda\.so\.1 is missing; install a driver$/);
  refused("napi", /^Cannot use device "cuda" with backend "napi": .*; want backend ffi$/);
});
