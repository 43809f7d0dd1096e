import assert from "node:assert/strict";
import * as swift from "../../../workflows/translate/ms_swift.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("ms-swift's GRPO has its own defaults: cosine, decay 0.1, beta 0.04 without the ratio, near-greedy sampling", () => {
  const { wanted } = told("ms-swift", "grpo", { train_type: "full" });
  const { schedule, weight_decay, beta2, kl_coef, learning_rate, preset } = stepSettings(wanted, "apply_update");
  assert.deepEqual([schedule, weight_decay, beta2, kl_coef, learning_rate, preset], [
    "cosine",
    0.1,
    undefined,
    0.04,
    1e-5,
    "trl/grpo",
  ]);
  const { temperature, top_p, top_k } = stepSettings(wanted, "sample_groups");
  assert.deepEqual([temperature, top_p, top_k], [0.9, 0.9, 50]);
  assert.equal(told("ms-swift", "grpo", {}).wanted["apply_update.learning_rate"], 1e-4);
});

Deno.test("ms-swift's KL is where its estimator has it", () => {
  const { wanted } = told("ms-swift", "grpo", { advantage_estimator: "rloo" });
  assert.deepEqual([
    wanted["compute_advantages.preset"],
    wanted["compute_advantages.kl_coef"],
    wanted["apply_update.kl_coef"],
  ], ["trl/rloo", 0.04, undefined]);
  assert.equal(told("ms-swift", "grpo", { beta: 0 }).wanted["load_model.reference"], undefined);
});

Deno.test("ms-swift makes batches of 16 rows where nothing is said", () => {
  const { batch_size, gradient_accumulation } = stepSettings(
    told("ms-swift", "dpo", { per_device_train_batch_size: 2, num_processes: 2 }).wanted,
    "train_preferences",
  );
  assert.deepEqual([batch_size, gradient_accumulation], [4, 4]);
  assert.deepEqual(
    told("ms-swift", "sft", { per_device_train_batch_size: 2, gradient_accumulation_steps: 3 })
      .wanted["fine_tune.batch_size"],
    6,
  );
  assert.equal(
    told("ms-swift", "grpo", {
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 4,
      num_generations: 4,
      dynamic_sample: true,
    }).wanted["sample_groups.prompts_per_step"],
    4,
  );
  for (const table of [swift.SWIFT_DPO, swift.SWIFT_GRPO, swift.SWIFT_KTO, swift.SWIFT_RM, swift.SWIFT_SFT]) {
    assert(Object.hasOwn(table, "train_type"));
  }
  const given = {
    value: () => null,
    number: (_: string, n: number) => n,
    count: (_: string, n: number) => n,
    isWritten: () => false,
  };
  assert.deepEqual([swift.swiftBatch(given)["sample_groups.prompts_per_step"], swift.swiftRows("fine_tune")(given)], [
    1,
    { "fine_tune.batch_size": 16 },
  ]);
});
