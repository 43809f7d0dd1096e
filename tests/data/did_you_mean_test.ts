/** Suggestions for unknown names. @module */
import assert from "node:assert/strict";
import { didYouMean, nearest, suggest } from "../../data/did_you_mean.ts";

const KNOWN = ["group_size", "temperature", "max_new_tokens"];

Deno.test("suggest() finds the name a typo was meant to be", () => {
  assert.equal(suggest("group_sise", KNOWN), "group_size");
  assert.equal(suggest("Temprature", KNOWN), "temperature");
  assert.equal(suggest("max-new-tokens", KNOWN), "max_new_tokens");
  assert.equal(suggest("TEMPERATURE", KNOWN), "temperature");
});

Deno.test("suggest() stays silent when nothing is near", () => {
  assert.equal(suggest("learning_rate", KNOWN), null);
  assert.equal(suggest("x", ["y"]), null);
  assert.equal(suggest("anything", []), null);
  assert.equal(suggest("x".repeat(5e6), ["x".repeat(5e6 + 1)]), null, "texts of megabytes");
});

Deno.test("nearest() asks whether the near name was meant, and says nothing when none is", () => {
  assert.equal(nearest("group_sise", KNOWN), '; did you mean "group_size"?');
  assert.equal(nearest("learning_rate", KNOWN), "");
});

Deno.test("didYouMean() lists the known names, with the nearest first", () => {
  assert.equal(didYouMean("group_sise", ["group_size"]), '; did you mean "group_size"? Known: group_size');
  assert.equal(didYouMean("zzz", ["ab", "cd"]), "; known: ab, cd");
  assert.equal(didYouMean("grop_size", KNOWN), `; did you mean "group_size"? Known: ${KNOWN.join(", ")}`);
  assert(didYouMean("zzz", ["x".repeat(5e6), "b"]).length < 200, "a name of megabytes");
  assert.equal(didYouMean("a", []), "; there are none");
  assert.equal(didYouMean("zzz", ["a", "b", "c"], 2), "; known: a, b and 1 more");
});
