/**
 * Runs ONNX models: the only file the rest of the project needs to know of ONNX Runtime.
 *
 *     const runtime = await openRuntime({ backend: "auto", device: "auto", threads: 2 });
 *     const w = runtime.tensor("float32", [4, 4], weights);           // copied in; w.data is the live memory on the CPU
 *     const session = await runtime.session(encodeModel(graph), { name: "update" });
 *     const bound = session.bind({ w, dw }, { "w.new": w });          // the same tensor in and out: updated in place
 *     await bound.run();
 *
 * Decisions a caller meets:
 * - One environment per process, with one thread pool and one CPU arena for all sessions ("ffi"). A second
 *   `openRuntime` with equal settings shares it, with others it is an error until the first is released.
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
import type { DType, TypedArray } from "./onnx/dtype.ts";
import type { Provider } from "./onnx/lowering.ts";
import { cudaPreflight } from "./ort/cuda.ts";
import { FfiRuntime } from "./ort/ffi.ts";
import { libraryPath } from "./ort/library.ts";
import { NapiRuntime } from "./ort/napi.ts";
import { CApi } from "./ort/c_api.ts";

export type BackendName = "ffi" | "napi";

export interface RuntimeOptions {
  /** "auto": ffi where it loads, else napi with a note. */
  readonly backend: BackendName | "auto";
  /** "auto": cuda where its preflight passes, else cpu with a note. */
  readonly device: Provider | "auto";
  /** Threads that compute inside an op, the caller's included. */
  readonly threads: number;
  /** Idle threads spin for work: faster on an idle machine, ruinous on a shared one. Default false. */
  readonly spinning?: boolean;
  /** Kernels that give the same bits for the same shapes; wants threads 1. Default false. */
  readonly deterministic?: boolean;
  /** Folders to search for CUDA libraries first. */
  readonly cudaFolders?: readonly string[];
}

/** A tensor in the device's memory. */
export interface Tensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  /** The memory itself on the CPU, read and written in place; RangeError for a tensor on a GPU: use download. */
  readonly data: TypedArray;
  /** Another tensor over the same memory, from `elementOffset` on; it keeps the memory alive. */
  view(shape: readonly number[], elementOffset?: number): Tensor;
  upload(data: TypedArray): void;
  download<T extends TypedArray>(into: T): T;
  release(): void;
}

export interface BoundRun {
  /** Runs once; undefined where the backend is synchronous. Allocates nothing ("ffi"). */
  run(): void | Promise<void>;
  /** Rebinds one input (or one output, if no input has the name). */
  set(name: string, tensor: Tensor): void;
  release(): void;
}

export interface Session {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** RangeError for a missing input or an unknown name. */
  bind(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    options?: { readonly nonblocking?: boolean },
  ): BoundRun;
  release(): void;
}

export interface SessionOptions {
  /** For messages. */
  readonly name?: string;
  /** How much ONNX Runtime rewrites the graph: less loads faster. Default "all". */
  readonly optimization?: "none" | "basic" | "extended" | "all";
  /**
   * Before its first run the shared arena gives back what no run uses: for sessions that need much memory and come in
   * many sizes, or the pieces of all sizes would add up. Default false.
   */
  readonly trim?: boolean;
}

export interface Runtime {
  readonly backend: BackendName;
  readonly device: Provider;
  /** ONNX Runtime's version. */
  readonly version: string;
  readonly threads: number;
  /** One line for each choice that "auto" could not make as hoped. */
  readonly notes: readonly string[];
  /** Zeros, or a copy of `data`. */
  tensor(
    dtype: DType,
    shape: readonly number[],
    data?: TypedArray,
    options?: { readonly place?: "device" | "host" },
  ): Tensor;
  /** Loads a model; an error that quotes ONNX Runtime if it refuses. */
  session(model: Uint8Array, options?: SessionOptions): Promise<Session> | Session;
  /** Ends the use of the environment; release sessions and tensors before. */
  release(): void;
}

/**
 * Starts ONNX Runtime, or shares the one that runs.
 *
 * An explicit backend or device that does not work is an error that says what is missing; "auto" falls back and notes it.
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { backend, device, threads } = options;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new RangeError(`Cannot open the runtime with ${threads} threads: want a whole number from 1`);
  }
  const notes: string[] = [];
  if (backend === "napi") return await openNapi(options, notes);
  if (device === "webgpu") {
    throw new Error(
      `Cannot use device "webgpu" with backend "ffi": it has no device memory there yet; use cpu or cuda`,
    );
  }
  let api: CApi;
  try {
    api = FfiRuntime.load(libraryPath());
  } catch (cause) {
    if (backend === "ffi") {
      throw new Error(`Cannot open the runtime with backend "ffi": ${oneLine(cause)}; try backend "napi"`, { cause });
    }
    notes.push(`backend: napi (ffi not used: ${oneLine(cause)})`);
    return await openNapi(options, notes);
  }
  if (device === "cpu") return FfiRuntime.open(api, { ...options, device }, notes);
  const cuda = cudaPreflight(options.cudaFolders);
  if (cuda.ok) return FfiRuntime.open(FfiRuntime.load(cuda.library), { ...options, device: "cuda", cuda }, notes);
  if (device === "cuda") throw new Error(`Cannot use device "cuda": ${cuda.missing}; ${cuda.fix}`);
  notes.push(`device: cpu (cuda not used: ${cuda.missing})`);
  return FfiRuntime.open(api, { ...options, device: "cpu" }, notes);
}

async function openNapi(options: RuntimeOptions, notes: string[]): Promise<Runtime> {
  if (options.device === "cuda" || options.device === "webgpu") {
    throw new Error(
      `Cannot use device "${options.device}" with backend "napi": it has no device memory; use backend "ffi"`,
    );
  }
  return await NapiRuntime.open(options, notes);
}

/** What `env` prints: versions, providers in the library, and why CUDA is not used. */
export interface RuntimeDescription {
  readonly library: string;
  readonly version: string;
  readonly build: string;
  /** Compiled into the library; not necessarily usable. */
  readonly providers: readonly string[];
  readonly cuda: { readonly usable: boolean; readonly lines: readonly string[] };
}
/** Describes the installed ONNX Runtime without starting it. */
export function describeRuntime(
  { cudaFolders }: { readonly cudaFolders?: readonly string[] } = {},
): RuntimeDescription {
  const library = libraryPath(), api = FfiRuntime.load(library), { ok, lines } = cudaPreflight(cudaFolders);
  const cuda = { usable: ok, lines };
  return { library, version: api.version, build: api.buildInfo(), providers: api.providers(), cuda };
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
