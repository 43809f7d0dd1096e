import assert from "node:assert/strict";
import { SOME_STEPS, trainingArguments } from "../../../workflows/translate/hugging_face.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("trainingArguments() sets what transformers does where nothing is said", () => {
  const { settings } = told("trl", "grpo", {});
  const { schedule, schedule_updates, beta2, learning_rate, weight_decay } = stepSettings(settings, "apply_update");
  assert.deepEqual([schedule, schedule_updates, beta2, learning_rate, weight_decay], [
    "linear",
    SOME_STEPS,
    0.999,
    1e-6,
    undefined,
  ]);
  assert.equal(settings["workflow.seed"], 42);
});

Deno.test("trainingArguments() counts updates: steps, warm-up, checkpoints", () => {
  const { settings, classes } = told("trl", "grpo", {
    max_steps: 100,
    num_iterations: 2,
    warmup_ratio: 0.1,
    save_steps: 20,
    num_train_epochs: 3,
    optim: "adamw_torch",
    max_grad_norm: 0,
  });
  assert.deepEqual([settings["workflow.train_steps"], settings["workflow.checkpoint.every"]], [50, 10]);
  const { warmup_updates, schedule_updates, max_grad_norm } = stepSettings(settings, "apply_update");
  assert.deepEqual([warmup_updates, schedule_updates, max_grad_norm], [10, 100, 1e9]);
  assert.deepEqual(classes, {
    max_steps: "translated",
    num_iterations: "translated",
    warmup_ratio: "translated",
    save_steps: "translated",
    num_train_epochs: "equal",
    optim: "equal",
    max_grad_norm: "translated",
  });
});

Deno.test("trainingArguments() tells what has no number here, and what cannot be done", () => {
  const { classes } = told("trl", "grpo", {
    gradient_checkpointing: true,
    bf16: true,
    tf32: false,
    deepspeed: "z.json",
    report_to: "wandb",
    logging_steps: 1,
    num_train_epochs: 1,
    optim: "muon",
    eval_strategy: "no",
    push_to_hub: true,
  });
  assert.deepEqual(classes, {
    gradient_checkpointing: "translated",
    bf16: "not_supported",
    tf32: "equal",
    deepspeed: "not_supported",
    report_to: "not_supported",
    logging_steps: "equal",
    num_train_epochs: "not_supported",
    optim: "not_supported",
    eval_strategy: "equal",
    push_to_hub: "not_supported",
  });
  assert(
    Object.keys(trainingArguments({ step: "x", updates: () => 1, perStep: () => 1, rows: () => 1 }, 1)).length > 100,
  );
});
