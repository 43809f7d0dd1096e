/** Suggestions for unknown names. @module */
import assert from "node:assert/strict";
import { didYouMean } from "../../data/did_you_mean.ts";

Deno.test("didYouMean() suggests a near name and always lists the known ones", () => {
  const known = ["group_size", "learning_rate"];
  assert.equal(
    didYouMean("group_sise", known),
    '; did you mean "group_size"? Known: group_size, learning_rate',
  );
  assert.equal(didYouMean("zebra", known), "; Known: group_size, learning_rate");
  assert.equal(didYouMean("x", []), "; there are none");
  assert.equal(didYouMean("zzz", ["a", "b", "c"], 2), "; Known: a, b and 1 more");
});
