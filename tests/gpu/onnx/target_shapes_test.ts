import assert from "node:assert/strict";
import { expandTarget, named, reshapeTarget } from "../../../gpu/onnx/target_shapes.ts";

Deno.test("reshapeTarget() keeps a named dimension at its place, and leaves one that moved open", () => {
  assert.deepEqual(reshapeTarget(["B", 4], ["B", 2, 2]), [0, 2, 2]);
  assert.deepEqual(reshapeTarget([4, "B"], ["B", 2, 2]), [-1, 2, 2]);
  assert.deepEqual(reshapeTarget(["B", 6], ["B", 3, -1]), [0, 3, -1]);
  assert.throws(() => reshapeTarget([4, "B", "T"], ["B", "T", 4]), {
    name: "RangeError",
    message: "Cannot reshape [4,B,T] to [B,T,4]: more than one dimension is left open",
  });
});

Deno.test("expandTarget() counts dimensions from the last, and keeps those with a name", () => {
  assert.deepEqual(expandTarget(["B", 1], [3, "B", 4]), [3, 1, 4]);
  assert.throws(() => expandTarget([1, 4], ["B", 4]), /Cannot expand \[1,4\] to \[B,4\]: "B" is symbolic and not/);
});

Deno.test("named() is what the caller named", () => {
  assert.deepEqual(named(["B", 2, "T"]), [["B", null, "T"]]);
});
