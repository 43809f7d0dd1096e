import assert from "node:assert/strict";
import { sameLastNumber } from "../../../../data/tasks/verifiers/same_number.ts";

Deno.test("sameLastNumber() compares the last number of both", () => {
  assert(sameLastNumber("The sum is 1,085.", { answer: "#### 1085.0" }));
  assert(!sameLastNumber("85 or 86", { answer: "85" }));
  assert(!sameLastNumber("none", { answer: "85" }));
  assert(!sameLastNumber("85", { answer: "many" }));
});
