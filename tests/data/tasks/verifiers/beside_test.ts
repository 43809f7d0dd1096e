import assert from "node:assert/strict";
import { isTouched } from "../../../../data/tasks/verifiers/beside.ts";

const touched = (text: string) => isTouched(text, text.indexOf("42"), text.indexOf("42") + 2);

Deno.test("isTouched() sees operators, letters, digits and words that change a number", () => {
  for (
    const text of [
      "-42",
      "10-42",
      "42!",
      "42^2",
      "42 + 1",
      "√42",
      "x<42",
      "42x",
      "42 million",
      "half of 42",
      "not 42",
      "42٠",
    ]
  ) {
    assert(touched(text), text);
  }
});

Deno.test("isTouched() lets marks, sentences and units stand beside a number", () => {
  for (const text of ["42", "x = 42", "so 42.", "**42** eggs", "It is 42, as said", "Not yet. 42", "7 * 6\n42\nmore"]) {
    assert(!touched(text), text);
  }
});
