import assert from "node:assert/strict";
import { cutDataSet, evaluationName } from "../../../../data/adapters/intake/evaluation_name.ts";

for (
  const [printed, metric, dataSet] of [
    ["eval_loss", "loss", null],
    ["eval/loss", "loss", null],
    ["eval_gsm8k_pass1", "accuracy", "gsm8k"],
    ["val-core/openai/gsm8k/acc/mean@4", "accuracy", "openai/gsm8k"],
    ["val-core/aime24/reward/mean@32", "reward", "aime24"],
    ["val-core/aime24/acc/best@32/mean", "acc/best@32/mean", "aime24"],
    ["val-aux/n", "val-aux/n", null],
    ["val/test_score/openai/gsm8k", "reward", "openai/gsm8k"],
    ["Validation Loss", "loss", null],
    ["Val loss", "loss", null],
  ] as const
) {
  Deno.test(`evaluationName("${printed}") is ${metric} of ${dataSet ?? "the one data set"}`, () => {
    assert.deepEqual(evaluationName(printed), { metric, dataSet });
  });
}

Deno.test("evaluationName() knows no evaluation where nothing says so", () => {
  for (const name of ["loss", "val/ratio", "value", "evaluate"]) assert.equal(evaluationName(name), null, name);
});

Deno.test("cutDataSet() cuts before the first known metric, and no group of names", () => {
  const known = (name: string) => ["accuracy", "reward", "gsm8k/reward"].includes(name);
  assert.deepEqual(cutDataSet("openai/gsm8k/reward", known), { metric: "gsm8k/reward", dataSet: "openai" });
  assert.deepEqual(cutDataSet("math/acc", known), { metric: "accuracy", dataSet: "math" });
  assert.equal(cutDataSet("rewards/own/reward", known), null);
  assert.equal(cutDataSet("math/unknown", known), null);
  assert.equal(cutDataSet("reward", known), null);
});
