import assert from "node:assert/strict";
import { Withdrawn } from "../../../../../data/adapters/post/text/withdrawn.ts";
import { claimsOf, readPost } from "../read_post.ts";

const stated = (...texts: string[]) => {
  const withdrawn = new Withdrawn();
  const lines = texts.flatMap((text, i) => withdrawn.take({ text, number: i + 1, ended: true }));
  return [...lines, ...withdrawn.release()].map(({ text, number }) => `${number} ${text.trim()}`);
};

Deno.test("Withdrawn takes comments out, on a line and over several", () => {
  assert.deepEqual(stated("a <!-- b --> c"), ["1 a   c"]);
  assert.deepEqual(stated("a <!-- b", "the loss is NaN", "c --> d"), ["1 a", "3 d"]);
  assert.deepEqual(stated("<!-- b", "c -->", "d"), ["2 ", "3 d"]);
});

Deno.test("Withdrawn keeps the lines of a comment that never ends, and of one that goes on for pages", () => {
  assert.deepEqual(stated("a <!-- b", "c"), ["1 a   b", "2 c"]);
  const long = Array.from({ length: 1000 }, (_, i) => `line ${i}`);
  assert.equal(stated("<!--", ...long).length, 1001);
});

Deno.test("Withdrawn takes out what is struck out and boxes without a tick, and keeps those with one", () => {
  assert.deepEqual(stated("a ~~the loss is NaN~~ b", "~~~", "~0.5~ and ~~ 0.6"), [
    "1 a   b",
    "2 ~~~",
    "3 ~0.5~ and ~~ 0.6",
  ]);
  assert.deepEqual(
    stated("- [ ] the loss is NaN", "- [x] it hangs", "* [X] so", "☐ no", "☑ yes", "1. [ ] no", "[] [1] x[ ] y"),
    ["1 ", "2 - [x] it hangs", "3 * [X] so", "4 ", "5 ☑ yes", "6 ", "7 [] [1] x[ ] y"],
  );
});

Deno.test("what nobody asserts is no claim: comments, boxes, what is struck out; a log in a fence stays", async () => {
  const text = [
    "<!-- Describe the bug, for example: the loss is NaN from step 1",
    "```",
    "the reward is always 0",
    "```",
    "-->",
    "My GRPO run is slow.",
    "",
    "- [ ] The loss is NaN",
    "- [x] The KL explodes",
    "",
    "~~The gradient is 0.~~",
  ];
  assert.deepEqual(claimsOf(await readPost(text.join("\n"))), ["9 kl.explodes"]);
  const fenced = ["My GRPO run:", "", "```", "<!-- prompt -->", "{'loss': 0.5, 'reward': 0.1}", "```"];
  assert.equal((await readPost(fenced.join("\n"))).records.segments.length, 1);
});

Deno.test("Withdrawn reads hostile lines in time that grows with them", () => {
  for (const part of ["<!--", "<!-- a --> <!--", "~~a", "~~", "-->", "- [ ] ", "```"]) {
    assert(stated(part.repeat(250_000)).length <= 1);
  }
});
