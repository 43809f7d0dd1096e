import assert from "node:assert/strict";
import { chooseRuntime } from "../../../gpu/ort/choose.ts";

const none = () => {
  throw new Error("nobody asked");
};
const there = () => null;

Deno.test("chooseRuntime() takes what is asked for without looking at the machine", () => {
  const machine = { ffi: none, cuda: none };
  for (const device of ["cpu", "cuda", "webgpu"] as const) {
    for (const backend of ["ffi", "napi"] as const) {
      assert.deepEqual(chooseRuntime({ backend, device }, machine), { backend, device, notes: [] });
    }
  }
});

Deno.test("chooseRuntime() prefers ffi and CUDA where they are there, silently", () => {
  const choice = chooseRuntime({ backend: null, device: "auto" }, { ffi: there, cuda: there });
  assert.deepEqual(choice, { backend: "ffi", device: "cuda", notes: [] });
});

Deno.test("chooseRuntime() says in one line each what it fell back to, and why", () => {
  assert.deepEqual(
    chooseRuntime({ backend: null, device: "auto" }, { ffi: there, cuda: () => "no driver; install one" }),
    { backend: "ffi", device: "cpu", notes: ["device: cpu (cuda not used: no driver; install one)"] },
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
