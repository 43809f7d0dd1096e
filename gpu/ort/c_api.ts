/** ONNX Runtime's C API over Deno FFI: the function table, status checks, strings. @module */

const P = "pointer", B = "buffer", N = "usize", I = "i32", VOID = "void";

/**
 * The functions we call: place in the OrtApi table (append-only since 1.0, so places are stable), parameters, result.
 * Source: onnxruntime_c_api.h of 1.30.
 */
export const TABLE = {
  GetErrorCode: [1, [P], I],
  GetErrorMessage: [2, [P], P],
  ReleaseStatus: [93, [P], VOID],
  CreateEnvWithGlobalThreadPools: [119, [I, B, P, B], P],
  DisableTelemetryEvents: [6, [P], P],
  ReleaseEnv: [92, [P], VOID],
  CreateThreadingOptions: [121, [B], P],
  SetGlobalIntraOpNumThreads: [147, [P, I], P],
  SetGlobalInterOpNumThreads: [148, [P, I], P],
  SetGlobalSpinControl: [149, [P, I], P],
  ReleaseThreadingOptions: [122, [P], VOID],
  CreateArenaCfgV2: [164, [B, B, N, B], P],
  CreateAndRegisterAllocator: [144, [P, P, P], P],
  ReleaseArenaCfg: [157, [P], VOID],
  GetAllocatorWithDefaultOptions: [78, [B], P],
  AllocatorFree: [76, [P, P], P],
  CreateMemoryInfo: [68, [B, I, I, I, B], P],
  ReleaseMemoryInfo: [94, [P], VOID],
  CreateSessionOptions: [10, [B], P],
  SetSessionGraphOptimizationLevel: [23, [P, I], P],
  SetIntraOpNumThreads: [24, [P, I], P],
  DisableMemPattern: [17, [P], P],
  DisablePerSessionThreads: [120, [P], P],
  AddInitializer: [150, [P, B, P], P],
  AddExternalInitializers: [210, [P, B, B, N], P],
  CreatePrepackedWeightsContainer: [166, [B], P],
  ReleasePrepackedWeightsContainer: [167, [P], VOID],
  CreateSessionFromArrayWithPrepackedWeightsContainer: [169, [P, B, N, P, P, B], P],
  AddSessionConfigEntry: [130, [P, B, B], P],
  SetDeterministicCompute: [273, [P, "bool"], P],
  SetSessionLogId: [20, [P, B], P],
  SessionOptionsAppendExecutionProvider: [216, [P, B, B, B, N], P],
  CreateCUDAProviderOptions: [205, [B], P],
  UpdateCUDAProviderOptions: [206, [P, B, B, N], P],
  SessionOptionsAppendExecutionProvider_CUDA_V2: [204, [P, P], P],
  ReleaseCUDAProviderOptions: [208, [P], VOID],
  ReleaseSessionOptions: [100, [P], VOID],
  CreateSessionFromArray: [8, [P, B, N, P, B], P],
  SessionGetInputCount: [30, [P, B], P],
  SessionGetOutputCount: [31, [P, B], P],
  SessionGetInputName: [36, [P, N, P, B], P],
  SessionGetOutputName: [37, [P, N, P, B], P],
  ReleaseSession: [95, [P], VOID],
  CreateTensorWithDataAsOrtValue: [49, [P, P, N, B, N, I, B], P],
  ReleaseValue: [96, [P], VOID],
  CreateRunOptions: [39, [B], P],
  AddRunConfigEntry: [165, [P, B, B], P],
  ReleaseRunOptions: [97, [P], VOID],
  Run: [9, [P, P, B, B, N, B, N, B], P],
  GetAvailableProviders: [125, [B, B], P],
  ReleaseAvailableProviders: [126, [P, I], P],
  GetBuildInfoString: [254, [], P],
} as const satisfies Record<string, readonly [number, readonly Deno.NativeType[], Deno.NativeResultType]>;

type ApiName = keyof typeof TABLE;
export type Pointer = Deno.PointerObject;

/** What ONNX Runtime itself answered; the cause of the errors that callers see. */
export class OrtError extends Error {
  override name = "OrtError";
}

// The table is called with the parameter types it lists; Deno cannot type a pointer read from memory.
type AnyFunction = (...args: unknown[]) => unknown;
const API_VERSION = 22; // The newest table our functions are part of.

/** The C API of one loaded library. */
export class CApi {
  readonly version: string;
  readonly #table: Deno.UnsafePointerView;
  readonly #functions = new Map<string, AnyFunction>();

  /** Loads the library (and never unloads it: its threads may outlive us). */
  constructor(readonly path: string) {
    const library = Deno.dlopen(path, { OrtGetApiBase: { parameters: [], result: "pointer" } });
    const base = new Deno.UnsafePointerView(library.symbols.OrtGetApiBase()!);
    const getVersion = new Deno.UnsafeFnPointer(base.getPointer(8)!, { parameters: [], result: "pointer" });
    this.version = text(getVersion.call()!);
    const getApi = new Deno.UnsafeFnPointer(base.getPointer(0)!, { parameters: ["u32"], result: "pointer" });
    const table = getApi.call(API_VERSION);
    if (!table) {
      throw new OrtError(
        `Cannot use ONNX Runtime ${this.version} at ${path}: it lacks C API ${API_VERSION}, want 1.22 or newer`,
      );
    }
    this.#table = new Deno.UnsafePointerView(table);
  }

  /** The bare function, to be kept by whoever calls it often. */
  function(name: ApiName, nonblocking = false): AnyFunction {
    const key = nonblocking ? `${name} nonblocking` : name;
    const known = this.#functions.get(key);
    if (known) return known;
    const [index, parameters, result] = TABLE[name];
    const pointer = this.#table.getPointer(index * 8)!;
    // deno-lint-ignore no-explicit-any
    const native: any = new Deno.UnsafeFnPointer(pointer as any, { parameters, result, nonblocking } as any);
    const call: AnyFunction = (...args) => native.call(...args);
    this.#functions.set(key, call);
    return call;
  }
  call(name: ApiName, ...args: unknown[]): unknown {
    return this.function(name)(...args);
  }
  /** Calls a function that returns a status; throws OrtError if it is not null. */
  run(name: ApiName, ...args: unknown[]): void {
    this.check(this.call(name, ...args) as Deno.PointerValue);
  }
  /** Calls a function whose last parameter receives a pointer; returns that pointer. */
  create(name: ApiName, ...args: unknown[]): Pointer {
    const out = new BigUint64Array(new ArrayBuffer(8));
    this.run(name, ...args, out);
    return Deno.UnsafePointer.create(out[0]!)!;
  }
  check(status: Deno.PointerValue): void {
    if (status === null) return;
    const code = this.call("GetErrorCode", status), message = text(this.call("GetErrorMessage", status) as Pointer);
    this.call("ReleaseStatus", status);
    throw new OrtError(`${message.trim()} (code ${code})`);
  }

  /** The execution providers compiled into the library; that one is listed does not mean that it works here. */
  providers(): string[] {
    const count = new Int32Array(new ArrayBuffer(4)), out = new BigUint64Array(new ArrayBuffer(8));
    this.run("GetAvailableProviders", out, count);
    const list = Deno.UnsafePointer.create(out[0]!)!, view = new Deno.UnsafePointerView(list);
    const names = Array.from({ length: count[0]! }, (_, i) => text(view.getPointer(i * 8)!));
    this.run("ReleaseAvailableProviders", list, count[0]!);
    return names;
  }
  buildInfo(): string {
    return text(this.call("GetBuildInfoString") as Pointer);
  }
}

export function text(pointer: Pointer): string {
  return Deno.UnsafePointerView.getCString(pointer);
}
/** A C string; keep it referenced while C holds its address. */
export function cString(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(value + "\0");
}
export function address(pointer: Deno.PointerValue): bigint {
  return Deno.UnsafePointer.value(pointer);
}
/** A char*[]; `strings` must stay referenced while C holds `pointers`. */
export function cStrings(values: readonly string[]): { strings: Uint8Array[]; pointers: BigUint64Array<ArrayBuffer> } {
  const strings = values.map(cString);
  const pointers = new BigUint64Array(new ArrayBuffer(8 * Math.max(1, values.length)));
  for (const [i, bytes] of strings.entries()) pointers[i] = address(Deno.UnsafePointer.of(bytes));
  return { strings, pointers };
}
