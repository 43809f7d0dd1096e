import assert from "node:assert/strict";
import { numeric } from "../../../../data/tasks/verifiers/numeric.ts";

Deno.test("numeric.problem() names an answer without a number", () => {
  assert.equal(numeric.problem("none", {}, {}), "has no number");
  assert.equal(numeric.problem("so 3", {}, {}), null);
});
