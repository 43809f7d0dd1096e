/** The element types of safetensors files and how each becomes float32. @module */

type Bytes = Uint8Array<ArrayBuffer>;
type Numbers = { readonly length: number; readonly [index: number]: number };

interface Dtype {
  readonly bytes: 1 | 2 | 4 | 8;
  /**
   * Writes values as float32, from bytes that start at an address divisible by `bytes`; null when they are no plain
   * numbers.
   */
  readonly toFloat32: ((bytes: Bytes, into: Float32Array) => void) | null;
}

type View<Typed> = new (buffer: ArrayBuffer, offset: number, length: number) => Typed;

function view<Typed>(type: View<Typed>, bytes: Bytes, size: number): Typed {
  return new type(bytes.buffer, bytes.byteOffset, bytes.byteLength / size);
}
/** Values one by one, as JavaScript rounds them. */
const each = (type: View<Numbers>, size: number) => (bytes: Bytes, into: Float32Array) => {
  const values = view(type, bytes, size);
  for (let i = 0; i < values.length; i++) into[i] = values[i]!;
};
const big = (type: View<BigInt64Array | BigUint64Array>) => (bytes: Bytes, into: Float32Array) => {
  const values = view(type, bytes, 8);
  for (let i = 0; i < values.length; i++) into[i] = Number(values[i]!);
};

export const DTYPES = {
  F64: { bytes: 8, toFloat32: each(Float64Array, 8) },
  F32: { bytes: 4, toFloat32: (bytes, into) => into.set(view(Float32Array, bytes, 4)) },
  F16: { bytes: 2, toFloat32: float16ToFloat32 },
  BF16: { bytes: 2, toFloat32: bfloat16ToFloat32 },
  I64: { bytes: 8, toFloat32: big(BigInt64Array) },
  U64: { bytes: 8, toFloat32: big(BigUint64Array) },
  I32: { bytes: 4, toFloat32: each(Int32Array, 4) },
  U32: { bytes: 4, toFloat32: each(Uint32Array, 4) },
  I16: { bytes: 2, toFloat32: each(Int16Array, 2) },
  U16: { bytes: 2, toFloat32: each(Uint16Array, 2) },
  I8: { bytes: 1, toFloat32: each(Int8Array, 1) },
  U8: { bytes: 1, toFloat32: (bytes, into) => into.set(bytes) },
  BOOL: { bytes: 1, toFloat32: (bytes, into) => into.set(bytes) },
  F8_E4M3: { bytes: 1, toFloat32: null },
  F8_E5M2: { bytes: 1, toFloat32: null },
} as const satisfies Record<string, Dtype>;

export type DtypeName = keyof typeof DTYPES;

const words = (values: Float32Array) => new Uint32Array(values.buffer, values.byteOffset, values.length);

/** bfloat16 is the upper half of float32. */
function bfloat16ToFloat32(bytes: Bytes, into: Float32Array): void {
  const halves = view(Uint16Array, bytes, 2), out = words(into);
  for (let i = 0; i < halves.length; i++) out[i] = halves[i]! << 16;
}

let float16Words: Uint32Array | null = null;

/** By a table of all 65,536 values: an engine's own conversion takes ten times as long. */
function float16ToFloat32(bytes: Bytes, into: Float32Array): void {
  float16Words ??= words(Float32Array.from(new Float16Array(Uint16Array.from({ length: 65_536 }, (_, i) => i).buffer)));
  const halves = view(Uint16Array, bytes, 2), out = words(into), table = float16Words;
  for (let i = 0; i < halves.length; i++) out[i] = table[halves[i]!]!;
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
