import assert from "node:assert/strict";
import { longestText } from "../../../../data/tasks/verifiers/safe_pattern.ts";

Deno.test("longestText() bounds what a pattern is tried on, by its repetitions", () => {
  assert.equal(longestText("^[A-Z]{3}$"), Math.floor(1e7 ** 0.5));
  assert.equal(longestText("^abc?$"), 5e6);
  assert.equal(longestText("a+b+"), Math.floor(1e7 ** (1 / 3)));
  assert.equal(longestText("[*+]\\+"), 1e7);
  for (const risky of ["(a+)+", "(a|a)*", "((a*))*", "(a|b){2,}", "(a)\\1", "(?<x>a)\\k<x>", "^(?=(a?){40}c)"]) {
    assert.equal(longestText(risky), null, risky);
  }
});

Deno.test("a text of the longest length ends soon with the pattern", () => {
  for (const pattern of ["a*a*a*a*b", `${"a?".repeat(30)}b`, "^a*a*b$", "(?:ab?)*c"]) {
    const length = longestText(pattern);
    if (length !== null) assert.equal(new RegExp(pattern, "u").test("a".repeat(length)), false);
  }
});
