import assert from "node:assert/strict";
import { type Aggregation, tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { KL_ESTIMATORS } from "../../../gpu/losses/kl.ts";
import { ROLLOUT_OBJECTIVES } from "../../../gpu/losses/mod.ts";
import type { ObjectiveOptions } from "../../../gpu/losses/objective.ts";
import { LOSS_PRESETS, type LossPreset, type LossPresetName } from "../../../gpu/losses/presets.ts";

/** The divisors on two completions of 1 and 3 tokens, max_completion_length 4, written by hand. */
const WEIGHTS: Record<Aggregation, readonly number[]> = {
  sequence_mean: [1 / 2, 0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 0],
  token_mean: [1 / 4, 0, 0, 0, 1 / 4, 1 / 4, 1 / 4, 0],
  sequence_sum_norm: [1 / 8, 0, 0, 0, 1 / 8, 1 / 8, 1 / 8, 0],
  rollout_token_mean: [2 / 10, 0, 0, 0, 2 / 10, 2 / 10, 2 / 10, 0],
  sequence_sum: [1 / 2, 0, 0, 0, 1 / 2, 1 / 2, 1 / 2, 0],
  token_sum: [1, 0, 0, 0, 1, 1, 1, 0],
  completion_mean: [1 / 2, 0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 0],
};

/** How each paper and system adds its tokens up. */
const AGGREGATION_OF: Record<LossPresetName, Aggregation> = {
  grpo: "sequence_mean",
  bnpo: "token_mean",
  dr_grpo: "sequence_sum_norm",
  dapo: "rollout_token_mean",
  vanilla: "token_mean",
  gspo: "sequence_mean",
  "trl/grpo": "sequence_mean",
  "trl/bnpo": "token_mean",
  "trl/dr_grpo": "sequence_sum_norm",
  "trl/dapo": "rollout_token_mean",
  "trl/luspo": "sequence_sum",
  "trl/cispo": "rollout_token_mean",
  "trl/sapo": "sequence_mean",
  "trl/vespo": "rollout_token_mean",
  "trl/rloo": "completion_mean",
  "verl/vanilla": "token_mean",
  "verl/gspo": "sequence_mean",
  "verl/sapo": "sequence_mean",
  "verl/cispo": "token_mean",
  "verl/gpg": "token_mean",
  "verl/reinforce": "token_mean",
  "verl/dppo_tv": "token_mean",
  "verl/dppo_kl": "token_mean",
  "verl/dro": "token_mean",
  "verl/clip_cov": "token_mean",
  "verl/kl_cov": "token_mean",
  "verl/geo_mean": "sequence_mean",
  "openrlhf/ppo": "token_mean",
  "openrlhf/gspo": "sequence_mean",
};

for (const [name, preset] of Object.entries(LOSS_PRESETS) as [LossPresetName, LossPreset][]) {
  Deno.test(`LOSS_PRESETS.${name} weighs tokens as its paper does, with options that its objective reads`, () => {
    const totals = { rolloutTokens: 10, updates: 2, norm: 4 };
    const weights = tokenCoefficients(preset.aggregation, [1, 0, 0, 0, 1, 1, 1, 0], 4, totals);
    assert.deepEqual([...weights], WEIGHTS[AGGREGATION_OF[name]]);
    const objective: ObjectiveOptions = ROLLOUT_OBJECTIVES[preset.loss as keyof typeof ROLLOUT_OBJECTIVES];
    const missing = preset.loss === "dro" ? { dro_beta: 0.1 } : {};
    const own = objective.lossOf(objective.params.parse({ ...missing, ...preset.options }));
    assert.equal(own.objective, preset.loss);
    assert.equal(preset.kl === undefined || preset.kl.estimator in KL_ESTIMATORS, true);
  });
}
