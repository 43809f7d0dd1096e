import assert from "node:assert/strict";
import { logRatios, missingTokens } from "../../../steps/corrections/log_ratios.ts";

Deno.test("logRatios() is trainer minus sampler, 0 where a token does not count or the sampler has no value", () => {
  const got = logRatios([[-1, -2, -3, NaN]], [[-1.5, NaN, -9, -1]], [[1, 1, 0, 1]]);
  assert.deepEqual([...got[0]!], [0.5, 0, 0, NaN]);
});

Deno.test("missingTokens() counts NaN of the sampler on tokens that count", () => {
  assert.equal(missingTokens([[NaN, NaN, -1], [NaN]], [[1, 0, 1], [1]]), 2);
});

Deno.test("logRatios() refuses rows that do not fit the mask", () => {
  assert.throws(
    () => logRatios([[-1, -2]], [[-1, -2]], [[1]]),
    /Cannot compare trainer and sampler: old_logprobs has 1 rows of 2 tokens, want those of the mask, 1 rows of 1/,
  );
  assert.throws(() => logRatios([[-1]], [[-1], [-1]], [[1]]), /sampler_logprobs has 2 rows of 1 tokens/);
});
