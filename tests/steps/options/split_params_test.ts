import assert from "node:assert/strict";
import { splitProblem, splits } from "../../../steps/options/split_params.ts";

Deno.test("splitProblem() wants fractions that add up to 1, in binary as well", () => {
  assert.equal(splitProblem(splits.parse(undefined)), null);
  assert.equal(splitProblem({ train: 0.7, validation: 0.2, held_out: 0.1 }), null);
  assert.match(splitProblem({ train: 0.5, validation: 0.5, held_out: 0.5 })!, /add up to 1.5/);
});
