import assert from "node:assert/strict";
import { deniedLetters } from "../../../../data/tasks/verifiers/denied_letters.ts";

Deno.test("deniedLetters() finds letters that are said to be wrong, and no others", () => {
  const cases = [
    ["(A) is incorrect. (B) is correct.", "A"],
    ["It is not B.", "B"],
    ["B isn't it", "B"],
    ["Is it B?", "B"],
    ["If the answer is C then", "C"],
    ["The answer is B.", ""],
    ["B: not a word about it", ""],
  ];
  for (const [text, want] of cases) assert.equal([...deniedLetters(text!, "ABCDE")].join(""), want, text);
});
