/** Types of columns outside the dictionary. @module */
import assert from "node:assert/strict";
import { columnType, inferType } from "../../../data/tables/column_type.ts";

Deno.test("inferType() finds the narrowest type for every value", () => {
  const cases: [unknown[], string][] = [
    [[1, 2.5, null], "float64"],
    [[true, false], "bool"],
    [["a", null], "utf8"],
    [[null, null], "utf8"],
    [[[1, 2], [3]], "list<int32>"],
    [[[], ["a"]], "list<utf8>"],
    [[["a"], []], "list<utf8>"],
    [[[0.5]], "json"],
    [[1, "1"], "json"],
    [[{ a: 1 }], "json"],
    [[new Float32Array(1)], "list<float32>"],
  ];
  for (const [values, type] of cases) assert.equal(inferType(values), type, JSON.stringify(values));
});

Deno.test("columnType() allows a task's columns in prompts and reward.<name> in completions, nothing else", () => {
  assert.equal(columnType("metrics", "loss", []), "float64");
  assert.equal(columnType("prompts", "numbers", [[1, 2]]), "list<int32>");
  assert.equal(columnType("completions", "reward.verifier", [1]), "float32");
  for (const name of ["reward.", "rewards", "toString"]) {
    assert.throws(() => columnType("completions", name, [1]), RangeError, name);
  }
});
