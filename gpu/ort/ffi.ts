/** The runtime over Deno FFI: no copies, shared buffers, one thread pool and one arena for all sessions. @module */
import { type DType, dtypeOf, DTYPES, sizeOf, type TypedArray } from "../onnx/dtype.ts";
import type { BoundRun, Runtime, RuntimeOptions, Session, SessionOptions, Tensor } from "../session.ts";
import { address, CApi, cString, cStrings, type Pointer, text } from "./c_api.ts";
import type { CudaFound } from "./cuda.ts";
import { CpuDevice, CudaDevice, type Device, type Memory, slice } from "./device.ts";
import { acquireEnvironment, type Environment } from "./environment.ts";
import { disableTelemetry } from "./telemetry.ts";

export interface FfiOptions extends RuntimeOptions {
  readonly device: "cpu" | "cuda";
  readonly cuda?: CudaFound;
}

const LOADED = new Map<string, CApi>();

export class FfiRuntime implements Runtime {
  readonly backend = "ffi";
  readonly version: string;
  readonly #host: Device;
  readonly #device: Device;
  readonly #environment: Environment;
  #released = false;
  #sharedThreads = true;

  /** Loads a library once per process, telemetry off. */
  static load(path: string): CApi {
    const known = LOADED.get(path);
    if (known) return known;
    disableTelemetry("ffi");
    const api = new CApi(path);
    LOADED.set(path, api);
    return api;
  }
  static open(api: CApi, options: FfiOptions, notes: readonly string[]): FfiRuntime {
    return new FfiRuntime(api, options, notes);
  }
  private constructor(readonly api: CApi, readonly options: FfiOptions, readonly notes: readonly string[]) {
    this.version = api.version;
    this.#environment = acquireEnvironment(api, options);
    this.#host = new CpuDevice(api);
    this.#device = options.cuda ? new CudaDevice(api, options.cuda.cudart) : this.#host;
  }
  get device(): "cpu" | "cuda" {
    return this.options.device;
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

  session(model: Uint8Array, options: SessionOptions = {}): FfiSession {
    const { name = "model" } = options;
    try {
      return new FfiSession(this.api, this.#load(model, options), name);
    } catch (cause) {
      // The napi binding was here first and its environment, one per process, has no shared thread pool.
      if (this.#sharedThreads && /EnvCreatedWithGlobalThreadPools/.test((cause as Error).message)) {
        this.#sharedThreads = false;
        return this.session(model, options);
      }
      throw new Error(`Cannot load model "${name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  #load(model: Uint8Array, { name = "model", optimization = "all" }: SessionOptions): Pointer {
    const { api } = this, options = api.create("CreateSessionOptions");
    const set = (entries: Record<string, string>) => {
      for (const [key, value] of Object.entries(entries)) {
        api.run("AddSessionConfigEntry", options, cString(key), cString(value));
      }
    };
    try {
      api.run("SetSessionLogId", options, cString(name));
      api.run("SetSessionGraphOptimizationLevel", options, LEVELS[optimization]);
      set(CONFIG);
      if (this.#sharedThreads) api.run("DisablePerSessionThreads", options);
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
      return api.create("CreateSessionFromArray", this.#environment.pointer, bytes, BigInt(bytes.length), options);
    } finally {
      api.call("ReleaseSessionOptions", options);
    }
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#device !== this.#host) this.#device.release();
    this.#host.release();
    this.#environment.release();
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

export class FfiTensor implements Tensor {
  readonly size: number;
  readonly value: Pointer;
  readonly #data: TypedArray | null;
  released = false;

  /** `owner`: releasing this tensor frees the memory; views do not. */
  constructor(
    readonly api: CApi,
    readonly device: Device,
    readonly dtype: DType,
    readonly shape: readonly number[],
    readonly memory: Memory,
    readonly owner: boolean,
  ) {
    const { code, array } = DTYPES[dtype], dims = new BigInt64Array(new ArrayBuffer(8 * Math.max(1, shape.length)));
    this.size = sizeOf(shape);
    for (const [i, n] of shape.entries()) dims[i] = BigInt(n);
    const { pointer, bytes, buffer, byteOffset } = memory;
    this.#data = buffer ? new array(buffer, byteOffset, this.size) : null;
    const rank = BigInt(shape.length);
    this.value = api.create(
      "CreateTensorWithDataAsOrtValue",
      device.memoryInfo,
      pointer,
      BigInt(bytes),
      dims,
      rank,
      code,
    );
  }
  get data(): TypedArray {
    if (this.#data) return this.#data;
    throw new RangeError(
      `Cannot read a tensor on ${this.device.kind} through data: download it, or make it with place "host"`,
    );
  }
  view(shape: readonly number[], elementOffset = 0): FfiTensor {
    const { bytes } = DTYPES[this.dtype];
    const memory = slice(this.memory, elementOffset * bytes, sizeOf(shape) * bytes);
    return new FfiTensor(this.api, this.device, this.dtype, shape, memory, false);
  }
  upload(data: TypedArray): void {
    this.device.upload(this.memory, fitting(this, data, "upload"));
  }
  download<T extends TypedArray>(into: T): T {
    this.device.download(fitting(this, into, "download into"), this.memory);
    return into;
  }
  release(): void {
    if (this.released) return;
    this.released = true;
    this.api.call("ReleaseValue", this.value);
    if (this.owner) this.device.free(this.memory);
  }
}

/** The bytes of `data` if it has the tensor's element type and size. */
export function fitting({ dtype, size }: Tensor, data: TypedArray, action: string): Uint8Array {
  if (!(data instanceof DTYPES[dtype].array)) {
    throw new TypeError(`Cannot ${action} a ${data.constructor.name} (${dtypeOf(data)}): the tensor is ${dtype}`);
  }
  if (data.length !== size) throw new RangeError(`Cannot ${action} ${data.length} elements: the tensor has ${size}`);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

class FfiSession implements Session {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  released = false;
  constructor(readonly api: CApi, readonly pointer: Pointer, readonly name: string) {
    this.inputs = names(api, pointer, "SessionGetInputCount", "SessionGetInputName");
    this.outputs = names(api, pointer, "SessionGetOutputCount", "SessionGetOutputName");
  }
  bind(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    { nonblocking = false }: { readonly nonblocking?: boolean } = {},
  ): BoundRun {
    if (this.released) throw new Error(`Cannot bind "${this.name}": the session is released`);
    checkNames(this, inputs, outputs);
    return new FfiBoundRun(this, inputs, outputs, nonblocking);
  }
  release(): void {
    if (this.released) return;
    this.released = true;
    this.api.call("ReleaseSession", this.pointer);
  }
}

/** Every input once, outputs that exist. Shared by both backends. */
export function checkNames(
  { name, inputs: wantInputs, outputs: wantOutputs }: Session,
  inputs: Readonly<Record<string, Tensor>>,
  outputs: Readonly<Record<string, Tensor>>,
): void {
  const list = (names: readonly string[]) => (names.length > 12 ? [...names.slice(0, 12), "…"] : names).join(", ");
  for (const [kind, given, known] of [["input", inputs, wantInputs], ["output", outputs, wantOutputs]] as const) {
    const set = new Set(known);
    const unknown = Object.keys(given).find((key) => !set.has(key));
    if (unknown !== undefined) {
      throw new RangeError(`Cannot bind ${kind} "${unknown}" of "${name}": it has ${list(known) || "none"}`);
    }
  }
  const missing = wantInputs.filter((key) => !(key in inputs));
  if (missing.length) throw new RangeError(`Cannot bind "${name}": no tensor for input ${list(missing)}`);
}

class FfiBoundRun implements BoundRun {
  readonly #session: FfiSession;
  readonly #tensors: Record<"inputs" | "outputs", Map<string, [number, Tensor]>>;
  readonly #values: Record<"inputs" | "outputs", BigUint64Array<ArrayBuffer>>;
  readonly #keep: unknown;
  readonly #call: () => unknown;
  readonly #nonblocking: boolean;

  constructor(
    session: FfiSession,
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    nonblocking: boolean,
  ) {
    const inputNames = cStrings(Object.keys(inputs)), outputNames = cStrings(Object.keys(outputs));
    const values = { inputs: pointers(inputs), outputs: pointers(outputs) };
    const run = session.api.function("Run", nonblocking), inputCount = BigInt(inputNames.strings.length);
    const outputCount = BigInt(outputNames.strings.length), { pointer } = session;
    this.#session = session;
    this.#nonblocking = nonblocking;
    this.#values = values;
    this.#tensors = { inputs: indexed(inputs), outputs: indexed(outputs) };
    this.#keep = [inputNames, outputNames];
    this.#call = () =>
      run(
        pointer,
        null,
        inputNames.pointers,
        values.inputs,
        inputCount,
        outputNames.pointers,
        outputCount,
        values.outputs,
      );
  }
  run(): void | Promise<void> {
    if (this.#session.released) throw new Error(`Cannot run "${this.#session.name}": the session is released`);
    if (this.#nonblocking) return (this.#call() as Promise<Deno.PointerValue>).then((status) => this.#check(status));
    const status = this.#call() as Deno.PointerValue;
    if (status !== null) this.#check(status);
  }
  #check(status: Deno.PointerValue): void {
    try {
      this.#session.api.check(status);
    } catch (cause) {
      throw new Error(`Cannot run "${this.#session.name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  set(name: string, tensor: Tensor): void {
    const side = this.#tensors.inputs.has(name) ? "inputs" : "outputs", place = this.#tensors[side].get(name);
    if (!place) throw new RangeError(`Cannot set "${name}" of "${this.#session.name}": it was not bound`);
    place[1] = tensor;
    this.#values[side][place[0]] = valueOf(tensor);
  }
  release(): void {
    this.#tensors.inputs.clear();
    this.#tensors.outputs.clear();
  }
}

function valueOf(tensor: Tensor): bigint {
  if (!(tensor instanceof FfiTensor)) {
    throw new TypeError(`Cannot bind a tensor of another backend: want one of this runtime`);
  }
  if (tensor.released) throw new Error(`Cannot bind a tensor of shape [${tensor.shape}]: it is released`);
  return address(tensor.value);
}
function pointers(tensors: Readonly<Record<string, Tensor>>): BigUint64Array<ArrayBuffer> {
  const list = Object.values(tensors), array = new BigUint64Array(new ArrayBuffer(8 * Math.max(1, list.length)));
  for (const [i, tensor] of list.entries()) array[i] = valueOf(tensor);
  return array;
}
function indexed(tensors: Readonly<Record<string, Tensor>>): Map<string, [number, Tensor]> {
  return new Map(Object.entries(tensors).map(([name, tensor], i) => [name, [i, tensor]]));
}
function names(
  api: CApi,
  session: Pointer,
  count: "SessionGetInputCount" | "SessionGetOutputCount",
  name: "SessionGetInputName" | "SessionGetOutputName",
): string[] {
  const out = new BigUint64Array(new ArrayBuffer(8));
  api.run(count, session, out);
  const allocator = api.create("GetAllocatorWithDefaultOptions");
  return Array.from({ length: Number(out[0]) }, (_, i) => {
    const pointer = api.create(name, session, BigInt(i), allocator), value = text(pointer);
    api.run("AllocatorFree", allocator, pointer);
    return value;
  });
}
function oneLine(error: unknown): string {
  return (error as Error).message.split("\n")[0]!;
}
