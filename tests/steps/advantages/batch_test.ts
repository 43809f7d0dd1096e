import assert from "node:assert/strict";
import { table } from "arquero";
import { PART_COLUMNS, readBatch, readColumn, truncationPenalty } from "../../../steps/advantages/batch.ts";

const SHAPING = { kl_coef: 0, kl_estimator: "k1", kl_per_token: false } as const;
const COMPLETIONS = table({
  reward: [4, null, -4],
  "reward.right": [1, null, 0],
  completion_tokens: [2, 2, 2],
  truncated: [true, false, false],
  completion_mask: [[1, 1], [1, 0], [0, 1]],
  old_logprobs: [[-1, -2], [-1, -1], [-7, -3]],
  ref_logprobs: [[-2, -2.5], [-1, -1], [NaN, -1]],
  values: [[1, 2], [3, NaN], [NaN, 6]],
});
const read = (shaping: Record<string, unknown>, needs: ("values" | "components" | "baselines")[] = []) =>
  readBatch(COMPLETIONS, [0, 0, 0], { needs }, { ...SHAPING, ...shaping });

Deno.test("readBatch() punishes truncation, then clips, then takes the KL off", () => {
  assert.deepEqual(read({}).batch.rewards, [4, null, -4]);
  assert.deepEqual(read({ truncated_scale: 0.5, reward_clip: [-3, 3] }).batch.rewards, [2, null, -3]);
  assert.deepEqual(read({ truncated_reward: -0.5 }).batch.rewards, [-0.5, null, -4]);
  const { batch, kl } = read({ kl_coef: 2, reward_clip: [-3, 3] });
  assert.deepEqual(batch.rewards, [3 - 2 * 1.5, null, -3 - 2 * -2]);
  assert.deepEqual(kl, [[1, 0.5], [0, 0], [0, -2]]);
  assert.equal(batch.tokenRewards, undefined);
});

Deno.test("readBatch() leaves the KL to the tokens with kl_per_token, bounded", () => {
  const { batch } = read({ kl_coef: 2, kl_per_token: true, kl_bound: 0.75 });
  assert.deepEqual(batch.rewards, [4, null, -4]);
  assert.deepEqual(batch.tokenRewards, [[-1.5, -1], [-0, -0], [-0, 1.5]]);
});

Deno.test("readBatch() counts lengths by the mask, and reads the parts that are needed", () => {
  const { batch } = read({}, ["values", "components"]);
  assert.deepEqual(batch.lengths, [2, 1, 1]);
  assert.deepEqual(
    batch.values!.map((row) => Array.from(row)),
    [[1, 2], [3, NaN], [NaN, 6]],
    "NaN where nothing counts",
  );
  assert.deepEqual(batch.components, { right: [1, null, 0] });
  assert.equal(read({}).batch.values, undefined);
});

Deno.test("readBatch() refuses what is not there or not finite, and says what to do", () => {
  assert.throws(() => read({}, ["baselines"]), /no column "greedy_reward"; run sample_greedy before score_rewards/);
  const bad = COMPLETIONS.assign(table({ values: [[1, Infinity], [0, 0], [0, 0]] }));
  assert.throws(
    () => readBatch(bad, [0, 0, 0], { needs: ["values"] }, SHAPING),
    /"values" of completion 0 is Infinity at token 1, want a finite number/,
  );
  const half = COMPLETIONS.assign(table({ "reward.right": [1, 0, NaN] }));
  assert.throws(
    () => readBatch(half, [0, 0, 0], { needs: ["components"] }, SHAPING),
    /the reward.right of completion 2 is NaN, want a finite number/,
  );
  for (const { column, remedy } of Object.values(PART_COLUMNS)) assert(column && remedy);
});

Deno.test("readColumn() and truncationPenalty() do one thing", () => {
  assert.deepEqual(readColumn(COMPLETIONS, "truncated"), [true, false, false]);
  assert.throws(() => readColumn(COMPLETIONS, "prompt_id"), /no column "prompt_id"/);
  assert.equal(truncationPenalty(4, { truncated_scale: 0.5 }), 2);
  assert.equal(truncationPenalty(4, { truncated_reward: -1 }), -1);
});
