import assert from "node:assert/strict";
import { OpenFence } from "../../../../../data/adapters/post/blocks/open_fence.ts";

const line = (text: string, number = 1) => ({ text, number, ended: true });

for (
  const [text, language] of [
    ["```", ""],
    ["  ~~~~ Python", "python"],
    ["```{.yaml}", "yaml"],
    ["``x``", null],
    ["```x``` is it", null],
    [`\`\`\`${"x".repeat(500)}`, null],
  ] as const
) {
  Deno.test(`OpenFence.at() says what "${text.slice(0, 20)}" opens`, () => {
    assert.equal(OpenFence.at(line(text), "")?.language ?? null, language);
  });
}

Deno.test("OpenFence closes at its own mark or a longer one, and holds its lines as they are", () => {
  const fence = OpenFence.at(line("````", 4), "The log:")!;
  assert.deepEqual(["````", " ````` ", "```", "~~~~", "x"].map((text) => fence.closes(text)), [
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.equal(fence.isBefore("x"), false);
  assert.equal(fence.take(line("    x", 5)), true);
  assert.deepEqual([fence.lead, fence.first, fence.lines], ["The log:", 4, [line("    x", 5)]]);
});

Deno.test("OpenFence of a block set by spaces ends before a line without them, and at no mark", () => {
  const block = OpenFence.indented(line("    x", 5), "");
  block.take(line("    x", 5));
  assert.deepEqual(["    y", "", "y"].map((text) => block.isBefore(text)), [false, false, true]);
  assert.equal(block.closes("```"), false);
  assert.deepEqual([block.first, block.lines], [4, [line("x", 5)]]);
});

Deno.test("OpenFence holds so many lines and no more", () => {
  const fence = OpenFence.at(line("```"), "")!;
  let taken = 0;
  while (taken < 30_000 && fence.take(line(""))) taken++;
  assert.equal(taken, 20_000);
});
