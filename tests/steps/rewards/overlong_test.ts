import assert from "node:assert/strict";
import { overlong } from "../../../steps/rewards/overlong.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("overlong.score() is DAPO's eq. 13: 0, then linear to -1 at the cap", () => {
  const params = overlong.params.parse({ max_new_tokens: 20, buffer: 4 });
  const lengths = [1, 16, 17, 18, 20, 21];
  const batch = rewardBatch(lengths.map(() => ""), { completion_tokens: lengths });
  assert.deepEqual(overlong.score(params, batch), [0, 0, -0.25, -0.5, -1, -1]);
});

Deno.test("overlong.params wants the cap and a buffer that fits below it", () => {
  assert(!overlong.params.safeParse({ buffer: 4 }).success);
  assert.deepEqual(overlong.params.safeParse({ max_new_tokens: 4, buffer: 5 }).error!.issues[0]!.path, ["buffer"]);
});
