/** What a tensor is made of: element types with their ONNX codes, dimensions and shapes. @module */

/** Per element type: ONNX TensorProto code, bytes per element, and the TypedArray that holds it (float16 as raw bits). */
export const DTYPES = {
  float32: { code: 1, bytes: 4, array: Float32Array },
  uint8: { code: 2, bytes: 1, array: Uint8Array },
  int32: { code: 6, bytes: 4, array: Int32Array },
  int64: { code: 7, bytes: 8, array: BigInt64Array },
  bool: { code: 9, bytes: 1, array: Uint8Array },
  float16: { code: 10, bytes: 2, array: Uint16Array },
  float64: { code: 11, bytes: 8, array: Float64Array },
} as const;

export type DType = keyof typeof DTYPES;
export type TypedArray = Float32Array | Float64Array | Uint16Array | BigInt64Array | Int32Array | Uint8Array;

/** A dimension is a size, or a name for a size known only when the graph runs (inference graphs with a symbolic batch). */
export type Dim = number | string;
export type Shape = readonly Dim[];

/** What shape inference knows of a tensor. */
export interface TensorType {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** True for the dtypes through which a gradient can flow. */
export function isFloat(dtype: DType): boolean {
  return dtype === "float32" || dtype === "float64" || dtype === "float16";
}

/** Number of elements of a static shape; RangeError if a dimension is symbolic. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const dim of shape) {
    if (typeof dim === "string") {
      throw new RangeError(`Cannot size [${shape}]: dimension "${dim}" is symbolic, want a number`);
    }
    size *= dim;
  }
  return size;
}

/** A new TypedArray of that dtype: zeros for a length, else the given numbers (rounded to integers where the dtype is one). */
export function typedArray(dtype: DType, values: number | readonly number[]): TypedArray {
  const { array } = DTYPES[dtype];
  if (typeof values === "number") return new array(values);
  if (dtype === "int64") return BigInt64Array.from(values, (x) => BigInt(x));
  if (dtype === "float16") {
    throw new TypeError(`Cannot write numbers as float16: pass a Uint16Array of raw bits instead`);
  }
  return (array as Float32ArrayConstructor).from(values);
}

/** The dtype a TypedArray holds by default (Uint8Array is uint8; pass "bool" explicitly where it is meant). */
export function dtypeOf(data: TypedArray): DType {
  if (data instanceof Float32Array) return "float32";
  if (data instanceof Float64Array) return "float64";
  if (data instanceof BigInt64Array) return "int64";
  if (data instanceof Int32Array) return "int32";
  if (data instanceof Uint16Array) return "float16";
  return "uint8";
}
