/** The switch itself; that nothing is written or looked up is tested in environment_test.ts. */
import assert from "node:assert/strict";
import { cString } from "../../../gpu/ort/c_api.ts";
import { platform } from "../../../gpu/ort/library.ts";
import { disableTelemetry } from "../../../gpu/ort/telemetry.ts";

for (const backend of ["ffi", "napi"] as const) {
  Deno.test(`disableTelemetry(${backend}) sets the variable where C reads it`, () => {
    const libc = Deno.dlopen(platform().libc, { getenv: { parameters: ["buffer"], result: "pointer" } });
    Deno.env.set("ORT_DISABLE_TELEMETRY", "0");
    disableTelemetry(backend);
    const pointer = libc.symbols.getenv(cString("ORT_DISABLE_TELEMETRY"));
    assert.equal(Deno.UnsafePointerView.getCString(pointer!), "1");
    libc.close();
  });
}
