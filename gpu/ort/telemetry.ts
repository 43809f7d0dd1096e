/** Keeps ONNX Runtime from phoning home. @module */
import { cString } from "./c_api.ts";
import { platform } from "./library.ts";

const NAME = "ORT_DISABLE_TELEMETRY";

/**
 * Sets ORT_DISABLE_TELEMETRY=1 in the process's C environment. Must run before the ONNX Runtime environment is created:
 * 1.30 on Linux otherwise writes files below the user's cache folder and looks up a collector.
 * "ffi" writes through the C library and needs no permission to read the environment; "napi" writes through Deno.
 */
export function disableTelemetry(backend: "ffi" | "napi"): void {
  if (backend === "napi") {
    Deno.env.set(NAME, "1");
    return;
  }
  const { libc, setenv } = platform();
  const library = Deno.dlopen(libc, {
    set: { name: setenv, parameters: ["buffer", "buffer", "i32"], result: "i32" },
  });
  const failed = library.symbols.set(cString(NAME), cString("1"), 1);
  library.close();
  if (failed) throw new Error(`Cannot disable telemetry: ${setenv} of ${libc} returned ${failed}, want 0`);
}
