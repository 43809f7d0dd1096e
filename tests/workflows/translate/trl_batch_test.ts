import assert from "node:assert/strict";
import { batchSettings, TRL_COUNTING, TRL_REFERENCE, TRL_SAMPLING } from "../../../workflows/translate/trl_batch.ts";
import type { Given } from "../../../workflows/translate/table.ts";
import { stepSettings, told } from "./translated.ts";

const given = (values: Record<string, number>): Given => ({
  value: (name) => values[name] ?? null,
  number: (name, otherwise) => values[name] ?? otherwise,
  count: (name, otherwise) => values[name] ?? otherwise,
  isWritten: (name) => Object.hasOwn(values, name),
});
const batch = (values: Record<string, number>) => Object.values(batchSettings(given(values)));

Deno.test("batchSettings() is the arithmetic of TRL: completions, groups, slices, passes", () => {
  assert.deepEqual(batch({}), [1, 1, 1]); // 8 completions, one group of 8
  assert.deepEqual(batch({ per_device_train_batch_size: 4, gradient_accumulation_steps: 8, num_processes: 2 }), [
    8,
    1,
    1,
  ]);
  assert.deepEqual(
    batch({
      per_device_train_batch_size: 16,
      gradient_accumulation_steps: 2,
      steps_per_generation: 8,
      num_iterations: 3,
    }),
    [16, 4, 12],
  );
  assert.deepEqual(batch({ per_device_train_batch_size: 16, generation_batch_size: 64, num_generations: 4 }), [
    16,
    4,
    4,
  ]);
  // A rollout smaller than an update: the update takes several.
  assert.deepEqual(batch({ per_device_train_batch_size: 8, gradient_accumulation_steps: 4, steps_per_generation: 1 }), [
    4,
    1,
    1,
  ]);
  assert.equal(TRL_COUNTING.updates(given({ max_steps: 7 })), 7);
});

Deno.test("a batch that TRL refuses is told, and rounded", () => {
  const { classes, texts, settings } = told("trl", "grpo", { per_device_train_batch_size: 12 });
  assert.deepEqual([classes["per_device_train_batch_size"], settings["sample_groups.prompts_per_step"]], [
    "not_supported",
    2,
  ]);
  assert.match(texts["per_device_train_batch_size"]!, /no whole number of groups/);
});

Deno.test("sampling options go over, and their switches for off", () => {
  const { settings, classes } = told("trl", "grpo", {
    temperature: 0.9,
    top_k: -1,
    top_p: 0.95,
    min_p: null,
    num_generations: 8,
    max_completion_length: 64,
    generation_kwargs: { top_k: 5, num_beams: 2 },
    use_vllm: true,
    vllm_mode: "colocate",
    max_prompt_length: 100,
    mask_truncated_completions: true,
  });
  const { temperature, top_k, top_p, max_new_tokens, mask_truncated } = stepSettings(settings, "sample_groups");
  assert.deepEqual([temperature, top_k, top_p, max_new_tokens, mask_truncated], [0.9, 5, 0.95, 64, true]);
  assert.deepEqual(classes, {
    temperature: "translated",
    top_k: "equal",
    top_p: "translated",
    min_p: "equal",
    num_generations: "equal",
    max_completion_length: "translated",
    generation_kwargs: "translated",
    use_vllm: "not_supported",
    vllm_mode: "equal",
    max_prompt_length: "not_supported",
    mask_truncated_completions: "translated",
  });
  assert(Object.keys(TRL_SAMPLING).length > 30 && Object.keys(TRL_REFERENCE).length === 4);
});
