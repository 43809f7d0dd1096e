import assert from "node:assert/strict";
import { regex } from "../../../steps/rewards/regex.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("regex.score() finds the pattern anywhere, every time anew", () => {
  const batch = rewardBatch(["xay", "A", "b", "a"]);
  assert.deepEqual(regex.score(regex.params.parse({ pattern: "a" }), batch), [1, 0, 0, 1]);
  assert.deepEqual(
    regex.score(regex.params.parse({ pattern: "^a$", ignore_case: true, found: -1, missing: 0.5 }), batch),
    [0.5, -1, 0.5, -1],
  );
});
