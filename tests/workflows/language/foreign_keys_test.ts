import assert from "node:assert/strict";
import { z } from "zod";
import { type OptionName, optionPlaces, OPTIONS } from "../../../data/options.ts";
import { STEPS } from "../../../steps/mod.ts";
import { foreignKey } from "../../../workflows/language/foreign_keys.ts";
import { readParams } from "../../../workflows/language/step_params.ts";

const FLOAT32 = "; numbers are float32 here; weights: int8 or int4 of load_model stores a frozen base in fewer bits";

const DORA = "; DoRA is not there; leave it out: a plain adapter trains, with rslora: true at high ranks";

for (
  const [at, key, says] of [
    ["load_model.lora", "r", '; it is "rank" here'],
    ["load_critic.lora", "r", '; it is "rank" here'],
    ["load_model", "r", '; it is "rank" in lora of load_model'],
    ["load_model.lora", "lora_alpha", '; it is "alpha" here'],
    ["load_model.lora", "lora_dropout", '; it is "dropout" here'],
    ["load_model.lora", "use_rslora", '; it is "rslora" here'],
    ["load_model.lora", "init_lora_weights", '; it is "init" here'],
    ["load_model.lora", "layers_to_transform", '; it is "layers" here'],
    ["load_model", "target_modules", '; it is "target_modules" in lora of load_model'],
    ["load_model", "peft_config", '; it is "lora" here'],
    ["load_model", "model_name_or_path", '; it is "model" here'],
    ["load_model", "load_in_4bit", '; it is "weights" here'],
    ["load_model.lora", "load_in_8bit", '; it is "weights" of load_model'],
    ["load_model", "torch_dtype", FLOAT32],
    ["apply_update", "bf16", FLOAT32],
    ["apply_update", "gradient_checkpointing", '; it is "recompute" here'],
    ["fine_tune", "per_device_train_batch_size", '; it is "batch_size" here'],
    ["sample_groups", "per_device_train_batch_size", '; it is "prompts_per_step" here'],
    ["sample_groups", "num_generations", '; it is "group_size" here'],
    ["sample_groups", "max_completion_length", '; it is "max_new_tokens" here'],
    ["apply_update", "beta", '; it is "kl_coef" here'],
    ["sample_groups", "beta", '; it is "kl_coef" of compute_advantages or apply_update'],
    ["apply_update", "max_completion_length", '; it is "max_new_tokens" of sample_groups, sample_greedy or evaluate'],
    ["apply_update", "num_iterations", '; it is "updates_per_rollout" here'],
    ["apply_update", "warmup_ratio", '; it is "warmup_updates" here; a number of updates'],
    ["apply_update", "epsilon_high", '; it is "clip_high" here'],
    ["apply_update", "epsilon_low", '; it is "clip_low" here'],
    ["apply_update", "clip_eps", '; it is "clip_low" here'],
    ["apply_update", "eps_high", '; it is "clip_high" here'],
    ["fine_tune", "adam_eps", '; it is "epsilon" here'],
    ["apply_update", "nothing_of_the_kind", null],
    ["fine_tune", "lr", '; it is "learning_rate" here'],
    ["apply_update", "lr", '; it is "learning_rate" here'],
    ["apply_update", "wd", '; it is "weight_decay" here'],
    ["sample_groups", "max_tokens", '; it is "max_new_tokens" here'],
    ["sample_groups", "temp", '; it is "temperature" here'],
    ["fine_tune", "bs", '; it is "batch_size" here'],
    ["apply_update", "constructor", null],
    ["sample_groups", "memory", '; it is "memory" of load_model'],
    ["load_model.lora", "memory", '; it is "memory" of load_model'],
    ["load_model.lora", "bias", "; biases stay as they are beside an adapter, as with none; leave it out"],
    ["load_model", "bias", "; biases stay as they are beside an adapter, as with none; leave it out"],
    ["load_model.lora", "task_type", "; every model is a causal language model; leave it out"],
    ["load_model.lora", "use_dora", DORA],
    ["fine_tune", "save_steps", "; checkpoint: { every: N } at the head of the workflow saves every N train steps"],
    ["fine_tune", "save_total_limit", "; checkpoint: { keep: N } at the head of the workflow keeps the newest N"],
  ] as const
) {
  Deno.test(`foreignKey() of "${key}" in ${at}: ${says ?? "nothing"}`, () => {
    const [uses, ...within] = at.split(".");
    assert.equal(foreignKey(key, { uses: uses!, within }, STEPS), says);
  });
}

Deno.test("readParams() says a short name of a key that must be there once, not the missing key as well", () => {
  const { problems } = readParams("apply_update", STEPS, { lr: 0.1 }, ["steps", 0]);
  assert.deepEqual(problems.map(({ message }) => message), ['unknown key "lr"; it is "learning_rate" here']);
});

Deno.test("readParams() says where a key of another system is written, and misses nothing twice", () => {
  const { problems } = readParams("load_model", STEPS, { model_name_or_path: "x", lora: { r: 4, rnk: 4 } }, [
    "steps",
    0,
  ]);
  assert.deepEqual(problems.map(({ message }) => message.split(" Known")[0]), [
    'unknown key "r"; it is "rank" here',
    'unknown key "rnk"; did you mean "rank"?',
    'unknown key "model_name_or_path"; it is "model" here',
  ]);
});

/** Whether a step, or any where none is named, has an option. */
function isThere(place: string): boolean {
  const parts = place.split("."), isStep = parts.length > 1 && Object.hasOwn(STEPS, parts[0]!);
  const of = (step: string) => z.toJSONSchema(STEPS[step as keyof typeof STEPS].params, { unrepresentable: "any" });
  const has = (schema: unknown, [key, ...rest]: readonly string[]): boolean => {
    const inner = (schema as { properties?: Record<string, unknown> }).properties?.[key!];
    return inner !== undefined && (rest.length === 0 || has(inner, rest));
  };
  return isStep ? has(of(parts[0]!), parts.slice(1)) : Object.keys(STEPS).some((step) => has(of(step), parts));
}

Deno.test("every place that the table of options names is there", () => {
  const places = (Object.keys(OPTIONS) as OptionName[]).flatMap((name) =>
    "here" in OPTIONS[name] ? optionPlaces(name).here : []
  );
  assert(places.length > 30, `${places.length}`);
  assert.deepEqual(places.filter((place) => !isThere(place)), []);
});
