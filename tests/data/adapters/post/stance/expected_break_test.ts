import assert from "node:assert/strict";
import { isExpectedBreak } from "../../../../../data/adapters/post/stance/expected_break.ts";
import { claimsOf, readPost } from "../read_post.ts";

Deno.test("isExpectedBreak() is true of a break that was foreseen or wanted, and of no other", () => {
  for (
    const text of [
      "As expected, lr 1e-2 diverges",
      "wie erwartet wird der Loss NaN",
      "果然崩了",
      "comme prévu ça explose",
    ]
  ) {
    assert(isExpectedBreak(text), text);
  }
  for (const text of ["As expected the reward rises", "the loss is NaN", "it diverges after 300 steps"]) {
    assert(!isExpectedBreak(text), text);
  }
});

Deno.test("a break that was expected sets no option and makes no claim", async () => {
  const read = await readPost("SFT, why is it so? As expected lr=1e-2 diverges; the loss falls with 1e-5.");
  assert(!claimsOf(read).some((claim) => /explodes|not_finite/.test(claim)));
  assert(!read.settings.some(({ value }) => value === 0.01));
});
