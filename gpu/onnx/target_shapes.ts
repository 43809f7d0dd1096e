/** Shapes that Reshape and Expand are given where some dimensions have names instead of sizes. @module */
import type { Dim, Shape } from "./dtype.ts";

/** 0 keeps the dimension at that place, -1 is what is left. Throws a RangeError where more than one is left. */
export function reshapeTarget(from: Shape, to: Shape): number[] {
  const target = to.map((dim, i) => (typeof dim === "number" ? dim : dim === from[i] ? 0 : -1));
  if (target.filter((n) => n === -1).length > 1) {
    throw new RangeError(`Cannot reshape [${from}] to [${to}]: more than one dimension is left open`);
  }
  return target;
}

/** 1 keeps a dimension. Throws a RangeError for a name that is none of the tensor's own dimensions. */
export function expandTarget(from: Shape, to: Shape): number[] {
  const lead = to.length - from.length;
  return to.map((dim, i) => {
    if (typeof dim === "number") return dim;
    if (from[i - lead] === dim) return 1;
    throw new RangeError(`Cannot expand [${from}] to [${to}]: "${dim}" is symbolic and not a dimension of it`);
  });
}

/** Where the caller named a dimension, the output carries that name instead of the inferred one. */
export function named(shape: Shape): readonly (readonly (Dim | null)[])[] {
  return [shape.map((dim) => (typeof dim === "string" ? dim : null))];
}
