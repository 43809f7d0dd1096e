import assert from "node:assert/strict";
import { operandPairs } from "../../../../data/tasks/rows/operand_pairs.ts";

Deno.test("operandPairs() lists all pairs when they fit the limit", () => {
  assert.deepEqual(operandPairs(8, 9, 4, "test"), [[8, 8], [8, 9], [9, 8], [9, 9]]);
});

Deno.test("operandPairs() draws distinct pairs in range when they do not", () => {
  const pairs = operandPairs(10, 19, 50, "test");
  assert.equal(new Set(pairs.map(String)).size, 50);
  assert(pairs.flat().every((value) => value >= 10 && value <= 19));
  assert.deepEqual(operandPairs(10, 19, 50, "test"), pairs);
  assert.notDeepEqual(operandPairs(10, 19, 50, "another"), pairs);
});
