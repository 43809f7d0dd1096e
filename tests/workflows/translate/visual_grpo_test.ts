import assert from "node:assert/strict";
import { NO_DATA, VISUAL_FIXED, visualBatch } from "../../../workflows/translate/visual_grpo.ts";
import { R1V_BATCH } from "../../../workflows/translate/r1_v.ts";
import { VLM_BATCH } from "../../../workflows/translate/vlm_r1.ts";
import { told } from "./translated.ts";

const BATCH = { per_device_train_batch_size: 2, gradient_accumulation_steps: 4, num_processes: 3, num_generations: 4 };

Deno.test("a visual batch: Visual-RFT and R1-V count prompts, VLM-R1 counts completions", () => {
  const prompts = (system: "visual-rft" | "r1-v-family" | "vlm-r1", trainer: string) =>
    told(system, trainer, BATCH).settings["sample_groups.prompts_per_step"];
  assert.equal(prompts("visual-rft", "grpo"), 24);
  assert.equal(prompts("r1-v-family", "grpo"), 24);
  assert.equal(prompts("vlm-r1", "grpo_jsonl"), 6);
  const odd = told("vlm-r1", "grpo_jsonl", { ...BATCH, num_generations: 5 });
  assert.match(odd.texts["per_device_train_batch_size"]!, /no whole number of groups.*prompts_per_step is rounded/);
  assert.equal(odd.classes["per_device_train_batch_size"], "not_supported");
});

Deno.test("a visual batch is used as often as num_iterations says, where that is read", () => {
  const given = { value: () => null, number: (_: string, n: number) => n, isWritten: () => true };
  const count = (name: string, otherwise: number) => name === "num_iterations" ? 3 : otherwise;
  assert.equal(visualBatch(VLM_BATCH)({ ...given, count })["apply_update.updates_per_rollout"], 3);
  assert.equal(visualBatch(R1V_BATCH)({ ...given, count })["apply_update.updates_per_rollout"], undefined);
});

Deno.test("a visual trainer's KL is k3 of .04 without the ratio, its advantages have 1e-4", () => {
  const { settings } = told("visual-rft", "grpo", {});
  assert.deepEqual(
    ["kl_coef", "kl_estimator", "kl_times_ratio", "preset"].map((name) => settings[`apply_update.${name}`]),
    [0.04, "k3", undefined, "grpo"],
  );
  assert.equal(settings["load_model.reference"], "copy");
  assert.equal(VISUAL_FIXED["compute_advantages.preset"], "trl/grpo");
  const none = told("visual-rft", "grpo", { beta: 0 }).settings;
  assert.deepEqual([none["load_model.reference"], none["apply_update.kl_estimator"]], [undefined, undefined]);
});

Deno.test("a visual trainer draws at temperature 1 from 50 tokens, with vLLM at what is said from all", () => {
  const drawn = (options: Record<string, number | boolean>) => {
    const { settings, classes } = told("visual-rft", "grpo", options);
    return [settings["sample_groups.temperature"], settings["sample_groups.top_k"], classes["temperature"]];
  };
  assert.deepEqual(drawn({ temperature: 0.7 }), [undefined, 50, "equal"]);
  assert.deepEqual(drawn({ temperature: 0.7, use_vllm: true }), [0.7, undefined, "translated"]);
  assert.deepEqual(drawn({ use_vllm: true }), [0.9, undefined, undefined], "the default of TRL 0.14");
});

Deno.test("a visual trainer's images are bounded as its script says", () => {
  const { wanted } = told("r1-v-family", "grpo", { max_pixels: 401408 });
  assert.deepEqual([wanted["load_model.min_pixels"], wanted["load_model.max_pixels"]], [3136, 401408]);
  assert.equal(told("r1-v-family", "grpo", {}).wanted["load_model.max_pixels"], 12845056);
  assert(NO_DATA.test("NOT_USED") && NO_DATA.test("this_is_not_used") && !NO_DATA.test("used"));
});
