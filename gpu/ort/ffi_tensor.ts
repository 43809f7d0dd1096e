/** A tensor over device memory and the OrtValue that shows it to ONNX Runtime. @module */
import { type DType, dtypeOf, DTYPES, sizeOf, type TypedArray } from "../onnx/dtype.ts";
import { address, type CApi, type Pointer } from "./c_api.ts";
import { type Device, type Memory, slice } from "./device_memory.ts";
import type { Tensor } from "./runtime.ts";

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

/** The OrtValue of a tensor that may be bound: of this backend, not released. */
export function valueOf(tensor: Tensor): bigint {
  if (!(tensor instanceof FfiTensor)) {
    throw new TypeError(`Cannot bind a tensor of another backend: want one of this runtime`);
  }
  if (isGone(tensor)) throw new Error(`Cannot bind a tensor of shape [${tensor.shape}]: it is released`);
  return address(tensor.value);
}

/** Whether its memory has been given back, by itself or by the tensor that it is a view of. */
export function isGone({ released, memory }: FfiTensor): boolean {
  return released || memory.buffer?.detached === true;
}
