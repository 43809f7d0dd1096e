import assert from "node:assert/strict";
import { boundedValidator, MOST_STEPS } from "../../../../data/tasks/verifiers/bounded_schema.ts";

Deno.test("boundedValidator() counts the steps of each value anew", () => {
  const isValid = boundedValidator({ type: "array", items: { type: "number" } }, "2020-12");
  const some = Array.from({ length: MOST_STEPS - 1 }, () => 1);
  for (let i = 0; i < 2; i++) assert.equal(isValid(some), true);
  assert.equal(isValid(["a"]), false);
  assert.throws(() => isValid([...some, 1]), /^RangeError: it takes more than 300000 steps/);
  assert.equal(isValid([1]), true);
});

Deno.test("boundedValidator() keeps the anchor that its counter stands at", () => {
  const node = {
    $id: "https://a.test/tree",
    $recursiveAnchor: true,
    properties: { a: { $recursiveRef: "#" }, v: { type: "string" } },
  };
  const isValid = boundedValidator(node, "2019-09");
  assert.deepEqual([isValid({ a: { v: "x" } }), isValid({ a: { v: 1 } })], [true, false]);
  assert.throws(() => boundedValidator({ $ref: "#" }, "2020-12")(1), /^RangeError: it refers to itself without end$/);
});
