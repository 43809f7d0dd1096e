/** Where tensors live: memory of one device, reached only by upload and download. @module */
import { type CApi, cString, type Pointer } from "./c_api.ts";

/** A range of device memory. `owner` keeps what must not be collected while the range is in use. */
export interface Memory {
  readonly pointer: Pointer;
  readonly bytes: number;
  /** The same bytes as JavaScript sees them; only where the device is the CPU. */
  readonly buffer?: ArrayBuffer;
  readonly byteOffset: number;
}

export interface Device {
  readonly kind: "cpu" | "cuda";
  /** OrtMemoryInfo of its tensors. */
  readonly memoryInfo: Pointer;
  alloc(bytes: number): Memory;
  upload(to: Memory, from: Uint8Array): void;
  download(into: Uint8Array, from: Memory): void;
  free(memory: Memory): void;
  release(): void;
}

/** Bytes to which tensors are aligned: a cache line, and the width of an AVX-512 register. */
export const ALIGNMENT = 64;

/** A part of a range, for tensors over the same memory. */
export function slice(memory: Memory, offset: number, bytes: number): Memory {
  if (offset < 0 || offset + bytes > memory.bytes) {
    throw new RangeError(`Cannot view bytes ${offset}..${offset + bytes} of a tensor: it has ${memory.bytes}`);
  }
  const pointer = Deno.UnsafePointer.offset(memory.pointer, offset)!;
  return { ...memory, pointer, bytes, byteOffset: memory.byteOffset + offset };
}

/** OrtDeviceAllocator = 0, OrtMemTypeDefault = 0. */
function memoryInfo(api: CApi, name: string, id = 0): Pointer {
  return api.create("CreateMemoryInfo", cString(name), 0, id, 0);
}

/** Memory of JavaScript buffers, one per tensor: off the JavaScript heap, so it never moves. */
export class CpuDevice implements Device {
  readonly kind = "cpu";
  readonly memoryInfo: Pointer;
  constructor(private readonly api: CApi) {
    this.memoryInfo = memoryInfo(api, "Cpu");
  }
  alloc(bytes: number): Memory {
    const buffer = new ArrayBuffer(bytes + ALIGNMENT);
    const start = Deno.UnsafePointer.of(new Uint8Array(buffer))!;
    const byteOffset = (ALIGNMENT - Number(Deno.UnsafePointer.value(start) % BigInt(ALIGNMENT))) % ALIGNMENT;
    return { pointer: Deno.UnsafePointer.offset(start, byteOffset)!, bytes, buffer, byteOffset };
  }
  upload(to: Memory, from: Uint8Array): void {
    view(to).set(from);
  }
  download(into: Uint8Array, from: Memory): void {
    into.set(view(from));
  }
  free({ buffer }: Memory): void {
    buffer!.transfer(0); // At once: the collector does not know what is needed next.
  }
  release(): void {
    this.api.call("ReleaseMemoryInfo", this.memoryInfo);
  }
}
function view(memory: Memory): Uint8Array {
  return new Uint8Array(memory.buffer!, memory.byteOffset, memory.bytes);
}

const HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2;
const SYMBOLS = {
  cudaSetDevice: { parameters: ["i32"], result: "i32" },
  cudaMalloc: { parameters: ["buffer", "usize"], result: "i32" },
  cudaFree: { parameters: ["pointer"], result: "i32" },
  upload: { name: "cudaMemcpy", parameters: ["pointer", "buffer", "usize", "i32"], result: "i32" },
  download: { name: "cudaMemcpy", parameters: ["buffer", "pointer", "usize", "i32"], result: "i32" },
  cudaGetErrorString: { parameters: ["i32"], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/** CUDA memory through libcudart, the very library the provider uses. No kernel of it has run where this was written. */
export class CudaDevice implements Device {
  readonly kind = "cuda";
  readonly memoryInfo: Pointer;
  readonly #library: Deno.DynamicLibrary<typeof SYMBOLS>;
  constructor(private readonly api: CApi, cudart: string, id = 0) {
    this.#library = Deno.dlopen(cudart, SYMBOLS);
    this.#check("select the device", this.#library.symbols.cudaSetDevice(id));
    this.memoryInfo = memoryInfo(api, "Cuda", id);
  }
  #check(action: string, code: number): void {
    if (code === 0) return;
    const reason = Deno.UnsafePointerView.getCString(this.#library.symbols.cudaGetErrorString(code)!);
    throw new Error(`Cannot ${action}: CUDA answers ${code}, "${reason}"`);
  }
  alloc(bytes: number): Memory {
    const out = new BigUint64Array(new ArrayBuffer(8));
    this.#check(`allocate ${bytes} bytes on the GPU`, this.#library.symbols.cudaMalloc(out, BigInt(bytes || 1)));
    return { pointer: Deno.UnsafePointer.create(out[0]!)!, bytes, byteOffset: 0 };
  }
  upload(to: Memory, from: Uint8Array): void {
    const { symbols } = this.#library;
    this.#check("upload", symbols.upload(to.pointer, from as BufferSource, BigInt(from.length), HOST_TO_DEVICE));
  }
  download(into: Uint8Array, from: Memory): void {
    const { symbols } = this.#library;
    this.#check("download", symbols.download(into as BufferSource, from.pointer, BigInt(into.length), DEVICE_TO_HOST));
  }
  free(memory: Memory): void {
    this.#check("free GPU memory", this.#library.symbols.cudaFree(memory.pointer));
  }
  release(): void {
    this.api.call("ReleaseMemoryInfo", this.memoryInfo);
  }
}
