/**
 * Runs ONNX models: the only file the rest of the project needs to know of ONNX Runtime.
 *
 *     const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 2 });
 *     const w = runtime.tensor("float32", [4, 4], weights);           // copied in; w.data is the live memory on the CPU
 *     const session = await runtime.session(encodeModel(graph), { name: "update" });
 *     const bound = session.bind({ w, dw }, { "w.new": w });          // the same tensor in and out: updated in place
 *     await bound.run();
 *
 * Decisions a caller meets:
 * - One environment per process, with one thread pool and one CPU arena for all sessions ("ffi"). A second
 *   `openRuntime` with equal settings shares it, with others it is an error until the first is released. A worker of
 *   the process may have opened it with more threads; `threads: 1` computes alone and is the same to the bit even then.
 * - `run()` of "ffi" is synchronous and returns undefined unless `nonblocking`; always `await` it, then napi works too.
 *   Do not start a second run over tensors that a nonblocking run still uses.
 * - Outputs are always bound to tensors made before; their shapes must be the ones the model yields. Not every
 *   output need be bound.
 * - The first run of a binding takes its memory from the system and is slower; later ones reuse the arena's pieces.
 * - `optimization: "none"` loads a train graph a third faster and runs it as fast; "all" suits decode graphs.
 * - In place is safe when every write of a tensor depends on all reads of it inside the graph.
 * - Use one backend per process. Where napi came first, "ffi" sessions fall back to threads of their own.
 * - napi copies each output once more and may run only one session at a time: correct, slower.
 * - A tensor must not be released while a bound run may still use it. Releasing a view leaves the memory.
 * - `place: "host"` matters only on a GPU: a tensor that JavaScript reads and writes through `data`.
 * - Telemetry is switched off before ONNX Runtime starts, always.
 *
 * @module
 */
import { requireDevice } from "./ort/choose_device.ts";
import type { CApi } from "./ort/c_api.ts";
import { cudaPreflight } from "./ort/cuda.ts";
import { FfiRuntime } from "./ort/ffi.ts";
import { libraryPath } from "./ort/library.ts";
import { NapiRuntime } from "./ort/napi.ts";
import { oneLine } from "./ort/one_line.ts";
import type { Runtime, RuntimeOptions } from "./ort/runtime.ts";

export type { BackendName, Runtime, Session, Tensor } from "./ort/runtime.ts";

/**
 * Starts ONNX Runtime, or shares the one that runs.
 *
 * A backend or device that does not work is an error that says what is missing; what "auto" means, `chooseRuntime` says.
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { backend, threads } = options;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new RangeError(`Cannot open the runtime with ${threads} threads: want a whole number from 1`);
  }
  const cuda = requireDevice(options);
  if (backend === "napi") return await NapiRuntime.open(options);
  return new FfiRuntime(cuda ? FfiRuntime.load(cuda.library) : loadLibrary(), options, cuda);
}

/** The library that the npm package ships. */
function loadLibrary(): CApi {
  try {
    return FfiRuntime.load(libraryPath());
  } catch (cause) {
    throw new Error(`Cannot open the runtime with backend "ffi": ${oneLine(cause)}; try backend "napi"`, { cause });
  }
}

/** What `env` prints: versions, providers in the library, and why CUDA is not used. */
interface RuntimeDescription {
  readonly library: string;
  readonly version: string;
  readonly build: string;
  /** Compiled into the library; not necessarily usable. */
  readonly providers: readonly string[];
  readonly cuda: { readonly usable: boolean; readonly lines: readonly string[] };
}

/** Describes the installed ONNX Runtime without starting it. */
export function describeRuntime(): RuntimeDescription {
  const library = libraryPath(), api = FfiRuntime.load(library), { ok, lines } = cudaPreflight();
  const cuda = { usable: ok, lines };
  return { library, version: api.version, build: api.buildInfo(), providers: api.providers(), cuda };
}
