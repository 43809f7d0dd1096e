import assert from "node:assert/strict";
import { optimalTokenBaseline } from "../../../steps/advantages/optimal_token_baseline.ts";
import { assertClose } from "./golden_cases.ts";

// p = 0.5, Σ p² = 0.5: a token weighs 1 - 1 + 0.5; the weights so far are 0.5, 1, 1.5.
const half = Math.log(0.5);
const batch = {
  rewards: [4, 1],
  groups: [0, 0],
  lengths: [1, 3],
  masks: [[1], [1, 1, 1]],
  logprobs: [[half], [half, half, half]],
  logSumSquares: [[half], [half, half, half]],
};
const given = (options: Record<string, unknown>) => optimalTokenBaseline.params.parse({ eps: 0, ...options });

Deno.test("optimalTokenBaseline.advantages() compares tokens at the same place; a lonely tail has no baseline", () => {
  const { tokens } = optimalTokenBaseline.advantages(given({}), batch);
  assert.deepEqual(tokens, [[1.5], [-1.5, 1, 1]]);
  assert.deepEqual(optimalTokenBaseline.advantages(given({ zero_tail: false }), batch).tokens, [[1.5], [-1.5, 0, 0]]);
});

Deno.test("optimalTokenBaseline.advantages() weighs by what the gradient has moved so far, the sampler's weight squared", () => {
  const weighted = { ...batch, samplerWeights: [[2], [1, 1, 1]] };
  const baseline = (4 * 2 + 1 * 0.5) / 2.5;
  assertClose(optimalTokenBaseline.advantages(given({}), weighted).tokens[0]!, [4 - baseline], "weights");
  // The sampler gave the first completion's token half the probability, the others it agrees about or says nothing of.
  const drawn = { ...batch, samplerLogprobs: [[half - Math.LN2], [half, NaN, half]] };
  const first = (options: Record<string, unknown>) => optimalTokenBaseline.advantages(given(options), drawn).tokens[0]!;
  assertClose(first({ sampler_weights: "token" }), [4 - baseline], "exp(old - sampler) is 2");
  assertClose(first({ sampler_weights: "sequence" }), [4 - baseline], "of one token the same");
  assertClose(first({ sampler_weights: "token", sampler_bound: 1 }), [1.5], "cut to 1");
  assertClose(first({}), [1.5], "not asked for");
});

Deno.test("optimalTokenBaseline.advantages() counts places or counted tokens, and leaves a lonely completion its return", () => {
  const holes = { ...batch, masks: [[1], [0, 1, 1]] };
  assert.deepEqual(optimalTokenBaseline.advantages(given({}), holes).tokens[1], [0, 1, 1]);
  assert.deepEqual(optimalTokenBaseline.advantages(given({ positions: "counted" }), holes).tokens[1], [0, -1.5, 1]);
  assert.deepEqual(optimalTokenBaseline.advantages(given({}), { ...batch, rewards: [null, 1] }).tokens, [[0], [
    1,
    1,
    1,
  ]]);
});

Deno.test("optimalTokenBaseline.advantages() of counted tokens takes no completion without one for a companion", () => {
  const empty = { ...batch, masks: [[0], [1, 1, 1]] };
  const options = { positions: "counted", zero_tail: false };
  assert.deepEqual(optimalTokenBaseline.advantages(given(options), empty).tokens[1], [1, 1, 1]);
});
