/** Numbers of a batch in rising order, with their gradient. @module */
import type { Value } from "../../onnx/graph.ts";

/**
 * x         float [P, 1]
 * returns   float [P, 1], smallest first; NaN counts as the largest, as torch sorts it
 */
export function sorted(x: Value): Value {
  const frozen = x.stopGradient(), keys = frozen.isNaN().where(Infinity, frozen);
  const [, order] = keys.topK(x.dims[0]!, { axis: 0, largest: false });
  return x.gatherElements(order, 0);
}
