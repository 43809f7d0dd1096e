import assert from "node:assert/strict";
import { rewardModel } from "../../../steps/rewards/reward_model.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("reward_model gives the model's scores, centred and scaled", () => {
  const score = (given: object) =>
    rewardModel.score(rewardModel.params.parse(given), { ...rewardBatch(["a", "b"]), model_scores: [1, -3] });
  assert.deepEqual(score({}), [1, -3]);
  assert.deepEqual(score({ scale: 2, center: 1 }), [0, -8]);
  assert.throws(
    () => rewardModel.score({ scale: 1, center: 0 }, rewardBatch(["a"])),
    /the run has no reward model; add load_reward/,
  );
});
