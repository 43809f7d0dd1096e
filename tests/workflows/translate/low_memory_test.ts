import assert from "node:assert/strict";
import type { ForeignSystem, Value } from "../../../workflows/translate/written.ts";
import { QUANTIZED, recomputes, smallMoments } from "../../../workflows/translate/low_memory.ts";
import { told } from "./translated.ts";

const M = "actor_rollout_ref.model.";

Deno.test("gradient checkpointing of every system is recompute of the step that trains", () => {
  const cases: readonly [ForeignSystem, string, string, string][] = [
    ["trl", "grpo", "gradient_checkpointing", "apply_update"],
    ["trl", "sft", "gradient_checkpointing", "fine_tune"],
    ["trl", "reward", "gradient_checkpointing", "train_reward_model"],
    ["verl", "ppo", `${M}enable_gradient_checkpointing`, "apply_update"],
    ["verl", "ppo", "critic.model.enable_gradient_checkpointing", "update_critic"],
    ["openrlhf", "ppo", "gradient_checkpointing", "apply_update"],
    ["openrlhf", "ppo", "actor.gradient_checkpointing_enable", "apply_update"],
    ["openrlhf", "dpo", "gradient_checkpointing", "train_preferences"],
    ["openrlhf", "sft", "model.gradient_checkpointing_enable", "fine_tune"],
    ["ms-swift", "kto", "gradient_checkpointing", "train_preferences"],
    ["llamafactory", "sft", "gradient_checkpointing", "fine_tune"],
  ];
  for (const [system, trainer, option, step] of cases) {
    const critic = { "algorithm.adv_estimator": "gae" };
    const on = told(system, trainer, { ...critic, [option]: true });
    assert.deepEqual([on.wanted[`${step}.recompute`], on.classes[option]], [true, "translated"], `${system} ${option}`);
    assert.equal(told(system, trainer, { ...critic, [option]: false }).wanted[`${step}.recompute`], undefined);
  }
  assert.deepEqual(recomputes("s").make("unsloth", null as never), { set: { "s.recompute": true } });
});

Deno.test("optimizers of 8 bits are optimizer_state int8, those of 32 are not", () => {
  for (
    const [system, trainer, step] of [["trl", "grpo", "apply_update"], ["llamafactory", "dpo", "train_preferences"]]
  ) {
    for (const optim of ["adamw_8bit", "paged_adamw_8bit", "adamw_bnb_8bit"]) {
      const { settings } = told(system as ForeignSystem, trainer!, { optim });
      assert.equal(settings[`${step!}.optimizer_state` as `${string}.${string}`], "int8", optim);
    }
  }
  assert.equal(told("trl", "grpo", { optim: "paged_adamw_32bit" }).classes["optim"], "equal");
  assert.equal(told("trl", "grpo", { optim: "adamw_torch_4bit" }).classes["optim"], "not_supported");
  assert.equal(Object.keys(smallMoments("s")).length, 5);
});

Deno.test("weights in 4 and 8 bits are weights of load_model beneath an adapter, and refused with the reason elsewhere", () => {
  const bnb = (more: Record<string, Value>) => ({ "()": "BitsAndBytesConfig", ...more });
  const lora = { use_peft: true };
  const cases: readonly [ForeignSystem, string, Record<string, Value>, string | undefined][] = [
    ["trl", "grpo", { ...lora, load_in_4bit: true }, "int4"],
    ["trl", "grpo", { ...lora, load_in_8bit: true }, "int8"],
    ["trl", "grpo", { ...lora, "model.quantization_config": bnb({ load_in_4bit: true }) }, "int4"],
    ["trl", "grpo", { ...lora, "model_init_kwargs.quantization_config": bnb({ load_in_8bit: true }) }, "int8"],
    ["trl", "grpo", { ...lora, "model.quantization_config": bnb({}) }, undefined],
    ["openrlhf", "dpo", { lora_rank: 8, load_in_4bit: true }, "int4"],
    ["ms-swift", "grpo", { quant_bits: 4 }, "int4"],
    ["llamafactory", "sft", { quantization_bit: 8 }, "int8"],
    ["llamafactory", "sft", { quantization_bit: 3 }, undefined],
    ["llamafactory", "sft", { quantization_bit: 4, finetuning_type: "full" }, undefined],
    ["trl", "grpo", { load_in_4bit: true }, undefined],
  ];
  for (const [system, trainer, given, weights] of cases) {
    const name = system === "openrlhf" ? "pretrain" : "model_name_or_path";
    const { settings } = told(system, trainer, { [name]: "a/b", ...given });
    assert.equal(settings["load_model.weights"], weights, JSON.stringify(given));
  }
  const { classes, texts } = told("trl", "grpo", { model: "a/b", load_in_4bit: true, bnb_4bit_quant_type: "nf4" });
  assert.equal(classes["load_in_4bit"], "not_supported");
  assert.match(texts["load_in_4bit"]!, /all weights train, and rounded ones cannot/);
  assert.match(texts["bnb_4bit_quant_type"]!, /int4 has one form here/);
  assert.equal(
    told("trl", "grpo", { "model.quantization_config": { unresolved: "q" } }).classes["model.quantization_config"],
    "not_supported",
  );
  assert(Object.hasOwn(QUANTIZED, "load_in_8bit"));
});
