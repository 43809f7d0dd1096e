/** Numbers of a tensor for whoever only reads them. @module */
import { DTYPES, type TypedArray } from "../onnx/dtype.ts";
import type { Runtime, Tensor } from "./runtime.ts";

/** The memory itself of a tensor of that kind, float32 where nothing is said, where it can be read, else a copy. */
export function numbersOf<Kind extends TypedArray = Float32Array>(
  { device }: Pick<Runtime, "device">,
  tensor: Tensor,
): Kind {
  if (device === "cpu") return tensor.data as Kind;
  return tensor.download(new DTYPES[tensor.dtype].array(tensor.size) as Kind);
}
