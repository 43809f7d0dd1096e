import assert from "node:assert/strict";
import { LIMITS, megabytes } from "../../../data/datasets/limits.ts";

Deno.test("megabytes() rounds up, so that what is beyond a limit never reads as the limit", () => {
  assert.equal(megabytes(LIMITS.bytes), 500);
  assert.equal(megabytes(LIMITS.bytes + 1), 501);
});
