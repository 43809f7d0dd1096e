import assert from "node:assert/strict";
import { score } from "../../../../steps/rewards/text/matches.ts";

Deno.test("score() gives found or missing, every text anew", () => {
  const options = { source: "a$", flags: "", found: 1, missing: 0 };
  assert.deepEqual(score({ texts: ["ba", "ab", "a"] }, options), [1, 0, 1]);
});
