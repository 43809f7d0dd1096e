/** Numbers of a tensor for whoever only reads them. @module */
import type { Runtime, Tensor } from "./runtime.ts";

/** A float32 tensor's memory itself where it can be read, else a copy. */
export function numbersOf({ device }: Pick<Runtime, "device">, tensor: Tensor): Float32Array {
  if (device === "cpu") return tensor.data as Float32Array;
  return tensor.download(new Float32Array(tensor.size));
}
