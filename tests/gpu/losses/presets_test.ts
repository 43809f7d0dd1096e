import assert from "node:assert/strict";
import { tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { LOSS_PRESETS, type LossPresetName } from "../../../gpu/losses/presets.ts";

/** TRL's divisors on two completions of 1 and 3 tokens, max_completion_length 4, written by hand. */
const WEIGHTS: Record<LossPresetName, readonly number[]> = {
  grpo: [1 / 2, 0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 0],
  bnpo: [1 / 4, 0, 0, 0, 1 / 4, 1 / 4, 1 / 4, 0],
  dr_grpo: [1 / 8, 0, 0, 0, 1 / 8, 1 / 8, 1 / 8, 0],
  dapo: [2 / 10, 0, 0, 0, 2 / 10, 2 / 10, 2 / 10, 0],
  vanilla: [1 / 4, 0, 0, 0, 1 / 4, 1 / 4, 1 / 4, 0],
  gspo: [1 / 2, 0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 0],
};

for (const [name, preset] of Object.entries(LOSS_PRESETS)) {
  Deno.test(`LOSS_PRESETS.${name} weighs tokens as its paper does`, () => {
    const weights = tokenCoefficients(preset.aggregation, [1, 0, 0, 0, 1, 1, 1, 0], 4, {
      rolloutTokens: 10,
      updates: 2,
      norm: 4,
    });
    assert.deepEqual([...weights], WEIGHTS[name as LossPresetName].map(Math.fround));
  });
}
