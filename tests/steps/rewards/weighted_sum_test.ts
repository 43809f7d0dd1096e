import assert from "node:assert/strict";
import { weightedSum } from "../../../steps/rewards/weighted_sum.ts";

Deno.test("weightedSum() skips null and is null only when all are", () => {
  assert.equal(weightedSum([1, 2, 4], [1, 0.5, -0.25]), 1);
  assert.equal(weightedSum([null, 2, null], [1, 0.5, 1]), 1);
  assert.equal(weightedSum([null, null], [1, 1]), null);
});
