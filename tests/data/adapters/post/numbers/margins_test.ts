import assert from "node:assert/strict";
import { withoutMargins } from "../../../../../data/adapters/post/numbers/margins.ts";
import { readPost } from "../read_post.ts";

const CASES: readonly (readonly [text: string, read: string])[] = [
  ["0.20 ± 0.05 → 0.71 ± 0.04", "0.20        → 0.71       "],
  ["62.1 ± 0.4 % of them", "62.1 %       of them"],
  ["0.4 (std 0.1) at step 3", "0.4           at step 3"],
  ["0.5 +/- 0.1", "0.5        "],
];
for (const [text, read] of CASES) {
  Deno.test(`withoutMargins() of "${text}"`, () => {
    assert.equal(withoutMargins(text), read);
    assert.equal(read.length, text.length);
  });
}

Deno.test("withoutMargins() leaves a deviation that is told by itself, and a step of either side", () => {
  for (const text of ["reward std 0.1", "step 100 (std of 8 runs)", "± 0.1", "0.4 (0.1)"]) {
    assert.equal(withoutMargins(text), text);
  }
});

Deno.test("a course is read through its margins, and quoted with them", async () => {
  const { told } = await readPost("GRPO, why is it so? The reward goes from 0.20 ± 0.05 to 0.71 ± 0.04.");
  assert.deepEqual(told.map(({ values, text }) => [values, text.includes("±")]), [[[0.2, 0.71], true]]);
});
