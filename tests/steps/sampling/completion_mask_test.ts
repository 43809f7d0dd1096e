import assert from "node:assert/strict";
import { completionMask } from "../../../steps/sampling/completion_mask.ts";

Deno.test("completionMask() counts every token, of a truncated completion none where these are dropped", () => {
  assert.deepEqual([...completionMask(2, { truncated: true, drops: false })], [1, 1]);
  assert.deepEqual([...completionMask(2, { truncated: true, drops: true })], [0, 0]);
  assert.deepEqual([...completionMask(2, { truncated: false, drops: true })], [1, 1]);
  assert.equal(completionMask(0, { truncated: false, drops: true }).length, 0);
});
