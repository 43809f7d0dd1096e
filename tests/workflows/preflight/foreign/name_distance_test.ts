import assert from "node:assert/strict";
import { isTypo } from "../../../../workflows/preflight/foreign/name_distance.ts";

Deno.test("isTypo() takes one letter, not a plural or another number", () => {
  for (const word of ["learing_rate", "learnin_rate", "learning_ratee", "laerning_rate", "learning-rate"]) {
    assert(isTypo(word, "learning_rate"), word);
  }
  for (const word of ["learning_rate", "learning_rates", "learning_rate2", "critic_learning_rate", "warming_rate"]) {
    assert(!isTypo(word, "learning_rate"), word);
  }
});
