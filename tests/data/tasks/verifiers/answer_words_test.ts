import assert from "node:assert/strict";
import {
  changesBehind,
  changesNumber,
  deniesNumber,
  isChanging,
  wordsIn,
} from "../../../../data/tasks/verifiers/answer_words.ts";

Deno.test("changesNumber() knows words that scale, join and compute from units and what is counted", () => {
  for (const text of ["million", "dozen eggs", "squared", "or so", "minus 1", "times 2", "and 43"]) {
    assert(changesNumber(text), text);
  }
  for (
    const text of ["pairs of socks", "more dollars", "is the answer", "times", "square feet", "and that is all", ""]
  ) {
    assert(!changesNumber(text), text);
  }
});

Deno.test("deniesNumber() knows clauses that lead to another number than is written", () => {
  for (const text of ["it is not", "half of", "she isn't", "maybe", "6 times", "negative"]) {
    assert(deniesNumber(text), text);
  }
  for (const text of ["it is", "there are about", "at least", "a total of", "not 41, it is".split(",")[1]!]) {
    assert(!deniesNumber(text), text);
  }
});

Deno.test("isChanging() and changesBehind() know the same of terms", () => {
  for (const word of ["million", "trillions", "not", "tenths", "than", "wrong", "minus"]) {
    assert(isChanging(word), word);
  }
  for (const word of ["apples", "months", "dollars", "miles", "hours"]) assert(!isChanging(word), word);
  assert(changesBehind(["apples", "k"]));
  assert.deepEqual(wordsIn("square feet, 2 cubic cm"), ["feet", "cm"]);
});
