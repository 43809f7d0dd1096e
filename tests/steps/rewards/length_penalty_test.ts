import assert from "node:assert/strict";
import { lengthPenalty } from "../../../steps/rewards/length_penalty.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("lengthPenalty.score() charges tokens beyond the allowance up to the largest penalty", () => {
  const params = lengthPenalty.params.parse({ per_token: 0.25, free_tokens: 4, max_penalty: 0.75 });
  const batch = rewardBatch(["", "", "", "", ""], { completion_tokens: [0, 4, 5, 7, 100] });
  assert.deepEqual(lengthPenalty.score(params, batch), [0, 0, -0.25, -0.75, -0.75]);
});
