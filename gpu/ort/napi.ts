/** The fallback runtime over the npm package's own binding: correct everywhere, with copies. @module */
import { type DType, DTYPES, sizeOf, type TypedArray } from "../onnx/dtype.ts";
import { checkNames } from "./ffi_session.ts";
import { fitting } from "./ffi_tensor.ts";
import { oneLine } from "./one_line.ts";
import type { BoundRun, Runtime, RuntimeOptions, Session, SessionOptions, Tensor } from "./runtime.ts";
import { disableTelemetry } from "./telemetry.ts";

type Ort = typeof import("onnxruntime-node");
type OrtTensor = import("onnxruntime-node").Tensor;
type OrtSession = import("onnxruntime-node").InferenceSession;

const LEVELS = { none: "disabled", basic: "basic", extended: "extended", all: "all" } as const;

export class NapiRuntime implements Runtime {
  readonly backend = "napi";
  readonly device = "cpu";
  budget: Runtime["budget"] = null;

  static async open(options: RuntimeOptions): Promise<NapiRuntime> {
    disableTelemetry("napi");
    return new NapiRuntime(await import("onnxruntime-node"), options);
  }
  private constructor(readonly ort: Ort, readonly options: RuntimeOptions) {}
  get version(): string {
    return (this.ort.env.versions as { readonly node?: string }).node ?? "unknown";
  }
  get threads(): number {
    return this.options.threads;
  }
  tensor(dtype: DType, shape: readonly number[], data?: TypedArray): NapiTensor {
    const { array, bytes } = DTYPES[dtype];
    const tensor = new NapiTensor(this.ort, dtype, shape, new array(new ArrayBuffer(sizeOf(shape) * bytes)));
    if (data) tensor.upload(data);
    return tensor;
  }
  trim(): void {}
  shareInitializers(): never {
    throw new TypeError('Cannot share constants of sessions with backend "napi": want backend ffi');
  }
  async session(
    model: Uint8Array,
    { name = "model", optimization = "all" }: SessionOptions = {},
  ): Promise<NapiSession> {
    const { threads, spinning = false } = this.options;
    try {
      const session = await this.ort.InferenceSession.create(model, {
        executionProviders: ["cpu"],
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        graphOptimizationLevel: LEVELS[optimization],
        logSeverityLevel: 3,
        extra: { session: { intra_op: { allow_spinning: spinning ? "1" : "0" } } },
      });
      return new NapiSession(session, name);
    } catch (cause) {
      throw new Error(`Cannot load model "${name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  release(): void {}
}

class NapiTensor implements Tensor {
  readonly size: number;
  readonly value: OrtTensor;
  constructor(readonly ort: Ort, readonly dtype: DType, readonly shape: readonly number[], readonly data: TypedArray) {
    this.size = sizeOf(shape);
    this.value = new ort.Tensor(dtype as "float32", data as Float32Array, shape);
  }
  view(shape: readonly number[], elementOffset = 0): NapiTensor {
    const size = sizeOf(shape);
    if (elementOffset < 0 || elementOffset + size > this.size) {
      throw new RangeError(
        `Cannot view elements ${elementOffset}..${elementOffset + size} of a tensor: it has ${this.size}`,
      );
    }
    return new NapiTensor(this.ort, this.dtype, shape, this.data.subarray(elementOffset, elementOffset + size));
  }
  upload(data: TypedArray): void {
    fitting(this, data, "upload");
    (this.data as Float32Array).set(data as Float32Array);
  }
  download<T extends TypedArray>(into: T): T {
    fitting(this, into, "download into");
    (into as Float32Array).set(this.data as Float32Array);
    return into;
  }
  release(): void {}
}

class NapiSession implements Session {
  constructor(readonly session: OrtSession, readonly name: string) {}
  get inputs(): readonly string[] {
    return this.session.inputNames;
  }
  get outputs(): readonly string[] {
    return this.session.outputNames;
  }
  bind(inputs: Readonly<Record<string, Tensor>>, outputs: Readonly<Record<string, Tensor>>): BoundRun {
    checkNames(this, inputs, outputs);
    return new NapiBoundRun(this, { ...inputs }, { ...outputs });
  }
  release(): void {
    this.session.release();
  }
}

class NapiBoundRun implements BoundRun {
  readonly #feeds: Record<string, OrtTensor>;
  readonly #fetches: Record<string, OrtTensor>;
  constructor(private readonly session: NapiSession, inputs: Record<string, Tensor>, outputs: Record<string, Tensor>) {
    this.#feeds = values(inputs);
    this.#fetches = values(outputs);
  }
  /** The binding writes into the bound tensors; the copies it also returns are dropped. */
  async run(): Promise<void> {
    try {
      await this.session.session.run(this.#feeds, this.#fetches);
    } catch (cause) {
      throw new Error(`Cannot run "${this.session.name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  set(name: string, tensor: Tensor): void {
    const side = name in this.#feeds ? this.#feeds : this.#fetches;
    if (!(name in side)) throw new RangeError(`Cannot set "${name}" of "${this.session.name}": it was not bound`);
    side[name] = valueOf(tensor);
  }
  release(): void {}
}

function valueOf(tensor: Tensor): OrtTensor {
  if (!(tensor instanceof NapiTensor)) {
    throw new TypeError(`Cannot bind a tensor of another backend: want one of this runtime`);
  }
  return tensor.value;
}
function values(tensors: Record<string, Tensor>): Record<string, OrtTensor> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, valueOf(tensor)]));
}
