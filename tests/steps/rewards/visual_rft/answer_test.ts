import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import { taggedAnswer } from "../../../../steps/rewards/visual_rft/answer.ts";

Deno.test("taggedAnswer() gives what stands in the first tags within one line, else the whole text", () => {
  assert.equal(taggedAnswer("<think>a</think><answer> b </answer><answer>c</answer>"), "b");
  assert.equal(taggedAnswer(" b "), "b");
  assert.equal(taggedAnswer("<answer>b"), "<answer>b");
  assert.equal(taggedAnswer("<answer>\nb</answer>"), "<answer>\nb</answer>");
  assert.equal(taggedAnswer("<answer>\nb</answer><answer>c</answer>"), "c");
});

Deno.test("taggedAnswer() finds what the original's pattern finds, in time proportional to the text", () => {
  const pieces = ["<answer>", "</answer>", "\n", "a", " "];
  for (let i = 0; i < 500; i++) {
    const text = Array.from({ length: 12 }, (_, at) => pieces[Math.floor(uniform(1, "answer", 0, i, at) * 5)]).join("");
    assert.equal(taggedAnswer(text), (/<answer>([^\n]*?)<\/answer>/.exec(text)?.[1] ?? text).trim(), text);
  }
  for (const piece of ["<answer>", "<answer>\n", "</answer>", "<answer>\n</answer>"]) {
    const text = piece.repeat(1e5);
    assert(taggedAnswer(text) === text.trim(), piece);
  }
});

Deno.test("taggedAnswer() takes away what Python's strip takes, and no more", () => {
  assert.equal(taggedAnswer("<answer>\x1cb\x85</answer>"), "b");
  assert.equal(taggedAnswer("\x1fb "), "b");
  assert.equal(taggedAnswer("<answer>\ufeffb</answer>"), "\ufeffb");
  assert.equal(taggedAnswer("b\ufeff"), "b\ufeff");
  // Only a line feed ends the dot of Python's patterns.
  assert.equal(taggedAnswer("<answer>a\rb\u2028c</answer>"), "a\rb\u2028c");
});
