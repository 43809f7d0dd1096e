import assert from "node:assert/strict";
import { numeric } from "../../../../data/tasks/verifiers/numeric.ts";
import { assertJudged } from "./judged.ts";

Deno.test("numeric.problem() names an answer without a number", () => {
  const options = numeric.params.parse({});
  assert.equal(numeric.problem("none", options, {}), "has no number");
  assert.equal(numeric.problem("so 1e400", options, {}), "has no number");
  assert.equal(numeric.problem("so 3", options, {}), null);
});

Deno.test("numeric.verify() compares relative to the larger number, also below 1", () => {
  assertJudged(numeric, [
    ["42.00001", "42", true],
    ["42.0001", "42", false],
    ["1.0000001e-7", "1e-7", true],
    ["0", "1e-7", false],
    ["9e-7", "1e-7", false],
    ["-1e-7", "1e-7", false],
    ["1e-7", "0", false],
    ["0.0", "0", true],
    ["42 1e400", "42", false],
    ["1e-400", "1e-7", false],
  ]);
});

Deno.test("numeric.verify() takes what is near in all with absolute_tolerance", () => {
  const cases = [["0", "1e-7", true], ["9e-7", "1e-7", true], ["2e-6", "1e-7", false]] as const;
  assertJudged(numeric, cases, { tolerance: 0, absolute_tolerance: 1e-6 });
});
