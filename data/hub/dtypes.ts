/** The element types of safetensors files and how each becomes float32. @module */

interface Dtype {
  readonly bytes: 1 | 2 | 4 | 8;
  /** Values as float32, from bytes that start at an address divisible by `bytes`; null when they are no plain numbers. */
  readonly toFloat32: ((bytes: Uint8Array<ArrayBuffer>) => Float32Array) | null;
}

const view = <Typed>(
  type: new (buffer: ArrayBuffer, offset: number, length: number) => Typed,
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
): Typed => new type(bytes.buffer, bytes.byteOffset, bytes.byteLength / size);

export const DTYPES = {
  F64: { bytes: 8, toFloat32: (bytes) => Float32Array.from(view(Float64Array, bytes, 8)) },
  F32: { bytes: 4, toFloat32: (bytes) => view(Float32Array, bytes, 4) },
  F16: { bytes: 2, toFloat32: (bytes) => Float32Array.from(view(Float16Array, bytes, 2)) },
  BF16: { bytes: 2, toFloat32: bfloat16ToFloat32 },
  I64: { bytes: 8, toFloat32: (bytes) => Float32Array.from(view(BigInt64Array, bytes, 8), Number) },
  U64: { bytes: 8, toFloat32: (bytes) => Float32Array.from(view(BigUint64Array, bytes, 8), Number) },
  I32: { bytes: 4, toFloat32: (bytes) => Float32Array.from(view(Int32Array, bytes, 4)) },
  U32: { bytes: 4, toFloat32: (bytes) => Float32Array.from(view(Uint32Array, bytes, 4)) },
  I16: { bytes: 2, toFloat32: (bytes) => Float32Array.from(view(Int16Array, bytes, 2)) },
  U16: { bytes: 2, toFloat32: (bytes) => Float32Array.from(view(Uint16Array, bytes, 2)) },
  I8: { bytes: 1, toFloat32: (bytes) => Float32Array.from(view(Int8Array, bytes, 1)) },
  U8: { bytes: 1, toFloat32: (bytes) => Float32Array.from(bytes) },
  BOOL: { bytes: 1, toFloat32: (bytes) => Float32Array.from(bytes) },
  F8_E4M3: { bytes: 1, toFloat32: null },
  F8_E5M2: { bytes: 1, toFloat32: null },
} as const satisfies Record<string, Dtype>;

export type DtypeName = keyof typeof DTYPES;

/** bfloat16 is the upper half of float32. */
function bfloat16ToFloat32(bytes: Uint8Array<ArrayBuffer>): Float32Array {
  const halves = view(Uint16Array, bytes, 2);
  const words = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) words[i] = halves[i]! << 16;
  return new Float32Array(words.buffer);
}

/** float32 to bfloat16, rounded to nearest, ties to even; NaN stays NaN (as PyTorch rounds). */
export function float32ToBfloat16(values: Float32Array): Uint16Array<ArrayBuffer> {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const out = new Uint16Array(values.length);
  for (let i = 0; i < out.length; i++) {
    const word = words[i]!;
    const nan = (word & 0x7fffffff) > 0x7f800000;
    out[i] = nan ? (word >>> 16) | 0x40 : (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
  }
  return out;
}
