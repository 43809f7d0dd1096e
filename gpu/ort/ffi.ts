/** The runtime over Deno FFI: no copies, shared buffers, one thread pool and one arena for all sessions. @module */
import { type DType, DTYPES, sizeOf, type TypedArray } from "../onnx/dtype.ts";
import { CApi, cString, cStrings, type Pointer } from "./c_api.ts";
import type { CudaFound } from "./cuda.ts";
import { CpuDevice, CudaDevice, type Device } from "./device_memory.ts";
import { acquireEnvironment, type Environment } from "./environment.ts";
import { FfiSession } from "./ffi_session.ts";
import { FfiTensor, valueOf } from "./ffi_tensor.ts";
import { sessionBytes } from "./memory_budget.ts";
import { oneLine } from "./one_line.ts";
import type { Runtime, RuntimeOptions, SessionOptions, SharedInitializers, Tensor } from "./runtime.ts";
import { returnLargePieces, returnSmallPieces } from "./malloc.ts";
import { disableTelemetry } from "./telemetry.ts";
import { ArenaTrim } from "./trim.ts";

const LOADED = new Map<string, CApi>();

export class FfiRuntime implements Runtime {
  readonly backend = "ffi";
  budget: Runtime["budget"] = null;
  readonly version: string;
  readonly #host: Device;
  readonly #device: Device;
  readonly #environment: Environment;
  #released = false;
  #sharedThreads = true;
  #trim: ArenaTrim | null = null;
  /** The last session that ran of those that ask for a trimmed arena. */
  #large: FfiSession | null = null;

  /** Loads a library once per process, telemetry off. */
  static load(path: string): CApi {
    const known = LOADED.get(path);
    if (known) return known;
    disableTelemetry("ffi");
    returnLargePieces();
    const api = new CApi(path);
    LOADED.set(path, api);
    return api;
  }
  constructor(
    readonly api: CApi,
    readonly options: Omit<RuntimeOptions, "device" | "backend">,
    cuda: CudaFound | null,
  ) {
    this.version = api.version;
    this.#environment = acquireEnvironment(api, options);
    this.#host = new CpuDevice(api);
    this.#device = cuda ? new CudaDevice(api, cuda.cudart) : this.#host;
  }
  get device(): "cpu" | "cuda" {
    return this.#device.kind;
  }
  get threads(): number {
    return this.options.threads;
  }

  tensor(
    dtype: DType,
    shape: readonly number[],
    data?: TypedArray,
    { place = "device" }: { readonly place?: "device" | "host" } = {},
  ): FfiTensor {
    const device = place === "host" ? this.#host : this.#device;
    const tensor = new FfiTensor(
      this.api,
      device,
      dtype,
      shape,
      device.alloc(sizeOf(shape) * DTYPES[dtype].bytes),
      true,
    );
    if (data) tensor.upload(data);
    else if (device.kind !== "cpu") tensor.upload(new DTYPES[dtype].array(tensor.size));
    return tensor;
  }

  shareInitializers(tensors: Readonly<Record<string, Tensor>>): FfiInitializers {
    return new FfiInitializers(this.api, tensors);
  }

  session(model: Uint8Array, options: SessionOptions = {}): FfiSession {
    const { name = "model" } = options;
    try {
      const pointer = this.#load(model, options);
      const session = new FfiSession(this.api, pointer, name, {
        prepare: options.trim ? (session, isFirst) => this.#before(session, isFirst) : null,
        initializers: options.initializers,
        ended: (session) => this.budget?.letGo(session),
      });
      const bytes = sessionBytes(model);
      this.budget?.hold(session, () => bytes);
      return session;
    } catch (cause) {
      // The napi binding was here first and its environment, one per process, has no shared thread pool.
      if (this.#sharedThreads && /EnvCreatedWithGlobalThreadPools/.test((cause as Error).message)) {
        this.#sharedThreads = false;
        return this.session(model, options);
      }
      throw new Error(`Cannot load model "${name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  #load(model: Uint8Array, { name = "model", optimization = "all", initializers }: SessionOptions): Pointer {
    const { api } = this, options = api.create("CreateSessionOptions");
    const set = (entries: Record<string, string>) => {
      for (const [key, value] of Object.entries(entries)) {
        api.run("AddSessionConfigEntry", options, cString(key), cString(value));
      }
    };
    try {
      if (initializers) {
        const list = Object.entries(initializers.tensors), names = cStrings(list.map(([name]) => name));
        const values = BigUint64Array.from(list, ([, tensor]) => valueOf(tensor));
        api.run("AddExternalInitializers", options, names.pointers, values, BigInt(list.length));
        // What the optimizer may look at is one thing, what kernels share across sessions another.
        for (const [i, value] of values.entries()) {
          api.run("AddInitializer", options, names.strings[i], Deno.UnsafePointer.create(value));
        }
      }
      api.run("SetSessionLogId", options, cString(name));
      api.run("SetSessionGraphOptimizationLevel", options, LEVELS[optimization]);
      set(CONFIG);
      // A planned block is one more copy of the activations, resident beside the pieces of the first run; the arena's
      // pieces are as fast.
      api.run("DisableMemPattern", options);
      // Another thread of the process may have started the environment, with as many helpers as it wanted. Their number
      // decides how sums are split, so a runtime of one thread takes none of them.
      if (this.#sharedThreads && this.threads > 1) api.run("DisablePerSessionThreads", options);
      else {
        api.run("SetIntraOpNumThreads", options, this.threads);
        set({ "session.intra_op.allow_spinning": this.options.spinning ? "1" : "0" });
      }
      if (this.options.deterministic) api.run("SetDeterministicCompute", options, true);
      if (this.device === "cuda") {
        set(CUDA_CONFIG);
        appendCuda(api, options);
      }
      const bytes = model as Uint8Array<ArrayBuffer>;
      const given = [this.#environment.pointer, bytes, BigInt(bytes.length), options] as const;
      if (!(initializers instanceof FfiInitializers)) return api.create("CreateSessionFromArray", ...given);
      return api.create("CreateSessionFromArrayWithPrepackedWeightsContainer", ...given, initializers.container);
    } finally {
      api.call("ReleaseSessionOptions", options);
    }
  }

  /**
   * Before a session that asks for it runs for the first time, the arena is trimmed, so that it holds the most of what
   * sessions take, not the sum. Within a budget that is so before each that follows upon another: what training left idle
   * must not stand beside the cache of sampling.
   */
  #before(session: FfiSession, isFirst: boolean): void {
    const last = this.#large;
    this.#large = session;
    if (last !== null && last !== session && (isFirst || this.budget !== null)) this.trim();
  }
  trim(): void {
    if (!this.#sharedThreads) return;
    this.#trim ??= new ArenaTrim(
      this.api,
      (model) => this.#load(model, { name: "trim", optimization: "none" }),
      () => this.tensor("float32", [1], undefined, { place: "host" }),
    );
    this.#trim.run();
    returnSmallPieces();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#trim?.release();
    if (this.#device !== this.#host) this.#device.release();
    this.#host.release();
    this.#environment.release();
  }
}

/** Constants with what kernels made of them, which ONNX Runtime keeps for whoever is given the same container. */
class FfiInitializers implements SharedInitializers {
  readonly container: Pointer;
  constructor(readonly api: CApi, readonly tensors: Readonly<Record<string, Tensor>>) {
    this.container = api.create("CreatePrepackedWeightsContainer");
  }
  release(): void {
    this.api.call("ReleasePrepackedWeightsContainer", this.container);
  }
}

/** GraphOptimizationLevel of the C API. */
const LEVELS = { none: 0, basic: 1, extended: 2, all: 99 } as const;
const CONFIG = { "session.use_env_allocators": "1" };
/** A node without a CUDA kernel is an error, not a silent detour over the CPU. */
const CUDA_CONFIG = { "session.disable_cpu_ep_fallback": "1" };
const CUDA_PROVIDER = { device_id: "0", arena_extend_strategy: "kSameAsRequested", use_tf32: "0" };

function appendCuda(api: CApi, options: Pointer): void {
  const provider = api.create("CreateCUDAProviderOptions");
  try {
    const keys = cStrings(Object.keys(CUDA_PROVIDER)), values = cStrings(Object.values(CUDA_PROVIDER));
    api.run("UpdateCUDAProviderOptions", provider, keys.pointers, values.pointers, BigInt(keys.strings.length));
    api.run("SessionOptionsAppendExecutionProvider_CUDA_V2", options, provider);
  } finally {
    api.call("ReleaseCUDAProviderOptions", provider);
  }
}
