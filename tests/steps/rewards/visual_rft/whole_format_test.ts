import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import { hasWholeFormat } from "../../../../steps/rewards/visual_rft/whole_format.ts";

Deno.test("hasWholeFormat() is true where the original's pattern matches the whole text", () => {
  const pattern = /^<think>.*?<\/think>\s*<answer>.*?<\/answer>$/s;
  const pieces = ["<think>", "</think>", "<answer>", "</answer>", "\n", "a", "</think><answer>"];
  let holds = 0;
  for (let i = 0; i < 1000; i++) {
    const inner = Array.from({ length: 1 + i % 9 }, (_, at) => pieces[Math.floor(uniform(1, "format", 0, i, at) * 7)]);
    const text = i % 4 === 0 ? inner.join("") : `<think>${inner.join("")}</answer>`;
    assert.equal(hasWholeFormat(text), pattern.test(text), text);
    if (hasWholeFormat(text)) holds++;
  }
  assert(holds > 100 && holds < 900, `${holds}`);
  assert(!hasWholeFormat("<think></think><answer></answer>\n"));
});

Deno.test("hasWholeFormat() takes time in proportion to the text", () => {
  for (const piece of ["</think><answer>", "</think> ", "</think>"]) {
    assert.equal(hasWholeFormat(`<think>${piece.repeat(1e5)}</answer>`), piece === "</think><answer>");
  }
});

Deno.test("hasWholeFormat() has Python's white space between the blocks", () => {
  const between = (text: string) => hasWholeFormat(`<think></think>${text}<answer></answer>`);
  for (const text of ["\x1c", "\x85", "\u2028 \n"]) assert(between(text), JSON.stringify(text));
  for (const text of ["\ufeff", " \u200b"]) assert(!between(text), JSON.stringify(text));
});
