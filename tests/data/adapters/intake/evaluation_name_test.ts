import assert from "node:assert/strict";
import { cutDataSet, evaluationName, scoreName } from "../../../../data/adapters/intake/evaluation_name.ts";

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

Deno.test("scoreName() takes a score that a user logs as held out, with its data set; rewards and options are none", () => {
  const of = (name: string) => scoreName(name);
  for (const name of ["true_accuracy", "heldout_acc", "held_out/exact_match", "gold_score", "dev_f1", "val_pass1"]) {
    assert.deepEqual(of(name), { metric: "accuracy", dataSet: null }, name);
  }
  assert.deepEqual(of("benchmarks/arithmetic"), { metric: "accuracy", dataSet: "arithmetic" });
  assert.deepEqual(of("evals/accuracy"), { metric: "accuracy", dataSet: null });
  assert.deepEqual(of("general_eval_acc"), { metric: "accuracy", dataSet: "general" });
  assert.deepEqual(of("heldout_old_task_accuracy"), { metric: "accuracy", dataSet: "old_task" });
  for (const name of ["accuracy", "mean_token_accuracy", "true_reward_std", "critic/score", "correct", "val_loss"]) {
    assert.equal(of(name), null, name);
  }
});

Deno.test("scoreName() takes the usual orders and statistics, and what stands in folders of evaluations", () => {
  for (
    const name of [
      "test_accuracy",
      "test/accuracy",
      "heldout_solve_rate",
      "holdout_solved",
      "heldout/success_rate",
      "accuracy_val",
      "acc_heldout",
      "acc_held_out",
      "true_acc_mean",
      "val_set_acc",
      "evals/acc",
    ]
  ) {
    assert.deepEqual(scoreName(name), { metric: "accuracy", dataSet: null }, name);
  }
  for (const name of ["benchmarks/gsm8k/acc", "benchmarks/gsm8k/avg", "evals/gsm8k", "gsm8k_acc_val"]) {
    assert.deepEqual(scoreName(name), { metric: "accuracy", dataSet: "gsm8k" }, name);
  }
  assert.deepEqual(scoreName("evals/mean_reward"), { metric: "reward", dataSet: null });
  assert.deepEqual(scoreName("benchmarks/multi_step_arithmetic"), {
    metric: "accuracy",
    dataSet: "multi_step_arithmetic",
  });
});

Deno.test("scoreName() takes nothing for a score that is to be small, a duration or a number of things", () => {
  for (
    const name of [
      ..."loss perplexity toxicity error_rate wer latency runtime time step global_step epoch tokens_per_s cost_usd invalid"
        .split(" ")
        .flatMap((what) => [`evals/${what}`, `benchmarks/${what}`, `evaluation/${what}`]),
      "val_error_score",
      "heldout_toxicity_score",
      "benchmarks/gsm8k/latency",
      "benchmarks/gsm8k/loss",
    ]
  ) {
    assert.equal(scoreName(name), null, name);
  }
});

Deno.test("scoreName() takes a reward function for no evaluation for its first word", () => {
  for (
    const name of [
      "valid_json_score",
      "valid_format_acc",
      "true_false_score",
      "gold_answer_correct",
      "test_pass_rate",
      "test_score",
    ]
  ) {
    assert.equal(scoreName(name), null, name);
  }
});

Deno.test("evaluationName() knows the held-out loss of loops of one's own, and no other loss", () => {
  for (
    const name of [
      "val_loss",
      "validation_loss",
      "valid_loss",
      "test_loss",
      "dev_loss",
      "loss_val",
      "val/loss",
      "Validation Loss",
    ]
  ) {
    assert.deepEqual(evaluationName(name), { metric: "loss", dataSet: null }, name);
  }
  for (const name of ["v_loss", "value_loss", "train_loss", "loss", "valid_json_loss"]) {
    assert.equal(evaluationName(name), null, name);
  }
});
