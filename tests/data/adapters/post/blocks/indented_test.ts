import assert from "node:assert/strict";
import { Indented, isIndented, outdented } from "../../../../../data/adapters/post/blocks/indented.ts";
import { readPost, recordsOf, settingsOf } from "../read_post.ts";

for (
  const [name, before, begins] of [
    ["at the beginning", [], true],
    ["behind an empty line", ["The log", ""], true],
    ["behind a colon", ["The log:"], true],
    ["behind a sentence", ["The log"], false],
    ["in a list", ["- The log", ""], false],
    ["in a list that goes on", ["- The log", "  of it:", ""], false],
    ["behind a list", ["- The log", "", "It is", ""], true],
  ] as const
) {
  Deno.test(`Indented says whether a block begins ${name}`, () => {
    const indented = new Indented();
    for (const line of before) indented.look(line);
    assert.equal(indented.begins("    x = 1"), begins);
    assert.equal(indented.begins("x = 1"), false);
  });
}

Deno.test("isIndented() wants four spaces or a tab and something behind them; outdented() takes one off", () => {
  assert.deepEqual(["    x", "\tx", "   x", "     ", "x"].map(isIndented), [true, true, false, false, false]);
  assert.deepEqual(["      x", "\t\tx", " x"].map(outdented), ["  x", "\tx", " x"]);
});

Deno.test("PostReader reads a block that is set by spaces as a fence", async () => {
  const text =
    'The end of it:\n\n    [\n     {"loss": 0.5, "step": 1},\n\n     {"loss": 0.25, "step": 2}\n    ]\n\nWhy? It is odd.\n';
  assert.deepEqual(recordsOf(await readPost(text)), ["4 1 loss=0.5", "6 2 loss=0.25"]);
  const options = await readPost("Hi, I run this:\n\n    beta=0.1, num_generations=8\n\nWhy?\n");
  assert.deepEqual(settingsOf(options), ["3 beta=0.1", "3 num_generations=8"]);
});
