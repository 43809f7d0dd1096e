import assert from "node:assert/strict";
import { exact } from "../../../../data/tasks/verifiers/exact.ts";

Deno.test("exact.problem() names an empty answer", () => {
  assert.equal(exact.problem(" ", {}, {}), "is empty");
  assert.equal(exact.problem("a", {}, {}), null);
});
