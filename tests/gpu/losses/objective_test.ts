import assert from "node:assert/strict";
import { rowsOf, type Unit, unitShape } from "../../../gpu/losses/objective.ts";

Deno.test("unitShape() is a row per completion, pair or batch, a number per token or one", () => {
  const shapes: Record<Unit, [number, number]> = { token: [6, 5], sequence: [6, 1], pair: [3, 1], value: [1, 1] };
  for (const [unit, shape] of Object.entries(shapes)) assert.deepEqual(unitShape(unit as Unit, 6, 5), shape);
});

Deno.test("rowsOf() refuses pairs of an odd number of completions", () => {
  assert.equal(rowsOf("pair", 2), 1);
  assert.throws(() => rowsOf("pair", 3), /Cannot read 3 completions as pairs: want a multiple of 2/);
});
