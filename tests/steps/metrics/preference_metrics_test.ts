import assert from "node:assert/strict";
import {
  labelledMetrics,
  meanOfSide,
  pairMetrics,
  pairWeights,
  sequenceSums,
} from "../../../steps/metrics/preference_metrics.ts";

Deno.test("sequenceSums() sums counted tokens; pairWeights() weighs those beyond the shorter completion", () => {
  const mask = [[1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 0]];
  assert.deepEqual(sequenceSums([[-1, -2, -4], [-3, -9, -9]], mask), [-7, -3]);
  assert.deepEqual(pairWeights(mask, 0.5), [[1, 0.5, 0.5], [1, 0, 0], [1, 1, 0], [1, 1, 0]]);
  assert.equal(pairWeights(mask, null), mask);
});

Deno.test("pairMetrics() are rewards, margins and the share of pairs in order", () => {
  assert.deepEqual(pairMetrics([-10, -15, -12, -11], [-11, -14, -12.5, -13], 0.5), {
    chosen_reward: (0.5 + 0.25) / 2,
    rejected_reward: (-0.5 + 1) / 2,
    reward_margin: (1 - 0.75) / 2,
    preference_accuracy: 0.5,
    chosen_logprob: -11,
    rejected_logprob: -13,
  });
});

Deno.test("labelledMetrics() are means of a class, null where it is missing; NaN counts as 0", () => {
  const both = labelledMetrics([-10, -15, -12], [-11, -14, -12.5], [1, 0, 1], 0.5);
  assert.deepEqual(
    [both.chosen_reward, both.rejected_reward, both.reward_margin, both.chosen_logprob],
    [0.375, -0.5, 0.875, -11],
  );
  const alone = labelledMetrics([NaN, -15], [-11, -14], [1, 1], 0.5);
  assert.deepEqual([alone.chosen_reward, alone.rejected_reward, alone.reward_margin], [-0.25, null, null]);
});

Deno.test("meanOfSide() turns a mean over all tokens into that of one side's", () => {
  const mask = [[1, 1, 0], [1, 0, 0]];
  assert.equal(meanOfSide((3 + 5) / 3, mask, (row) => row === 0), 4);
  assert.equal(meanOfSide(1, [[0], [1]], (row) => row === 0), null);
  assert.equal(meanOfSide(null, mask, () => true), null);
});
