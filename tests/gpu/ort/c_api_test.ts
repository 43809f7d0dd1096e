/** The C API binding. */
import assert from "node:assert/strict";
import { CApi, cString, cStrings, OrtError, TABLE } from "../../../gpu/ort/c_api.ts";
import { libraryPath } from "../../../gpu/ort/library.ts";
import { disableTelemetry } from "../../../gpu/ort/telemetry.ts";

disableTelemetry("ffi");
const api = new CApi(libraryPath());

Deno.test("CApi reads version, build and providers", () => {
  assert.match(api.version, /^1\.\d+\.\d+$/);
  assert.match(api.buildInfo(), /git-commit-id=/);
  assert(api.providers().includes("CPUExecutionProvider"));
});

Deno.test("CApi.check() turns a status into an OrtError with its code", () => {
  const call = () => api.create("CreateMemoryInfo", cString("NoSuchDevice"), 0, 0, 0);
  assert.throws(call, (error: Error) => error instanceof OrtError && /\(code \d+\)$/.test(error.message));
});

Deno.test("TABLE lists each place once", () => {
  const places = Object.values(TABLE).map(([index]) => index);
  assert.equal(new Set(places).size, places.length);
});

Deno.test("cStrings() ends each string with a zero byte and points at it", () => {
  const { strings, pointers } = cStrings(["ä", ""]);
  assert.deepEqual(strings.map((bytes) => [...bytes]), [[0xc3, 0xa4, 0], [0]]);
  assert.equal(Deno.UnsafePointerView.getCString(Deno.UnsafePointer.create(pointers[0]!)!), "ä");
});

Deno.test("CApi refuses a library that is not ONNX Runtime", () => {
  assert.throws(() => new CApi("libc.so.6"), /OrtGetApiBase/);
});
