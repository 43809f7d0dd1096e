import assert from "node:assert/strict";
import { told } from "./translated.ts";

const A = "actor_rollout_ref.actor.", M = "actor_rollout_ref.model.";

Deno.test("verl's image_key is the column of images, and video_key is not here", () => {
  const column = (key: string, path: string) =>
    told("verl", "ppo", { "data.image_key": key, [`${M}path`]: path }).wanted["load_prompts.image_column"];
  assert.equal(column("pic", "Qwen/Qwen2.5-7B"), "pic");
  assert.equal(column("images", "Qwen/Qwen2.5-VL-7B-Instruct"), "images");
  assert.equal(column("images", "Qwen/Qwen2.5-7B"), undefined);
  assert.equal(told("verl", "ppo", { "data.video_key": "clips" }).classes["data.video_key"], "not_supported");
});

Deno.test("verl's freeze_vision_tower leaves tower and merger as they are, and its adapter off them", () => {
  const { settings, classes, texts } = told("verl", "ppo", { [`${A}freeze_vision_tower`]: true });
  assert.deepEqual(settings["load_model.trainable"], ["!visual.*"]);
  assert.equal(classes[`${A}freeze_vision_tower`], "translated");
  assert.match(texts[`${A}freeze_vision_tower`]!, /stay as they are; verl's newer engine.*does not read it/);
  const lora = (more: Parameters<typeof told>[2]) =>
    told("verl", "ppo", { [`${M}lora_rank`]: 8, [`${A}freeze_vision_tower`]: true, ...more }).settings;
  assert.equal((lora({})["load_model.lora"] as { exclude_modules: string }).exclude_modules, ".*visual.*");
  assert.equal(lora({})["load_model.trainable"], undefined);
  const both = lora({ [`${M}exclude_modules`]: ["o_proj"] })["load_model.lora"] as { exclude_modules: string };
  assert.equal(both.exclude_modules, "(?:(?:.*\\.)?(?:o_proj))|(?:.*visual.*)");
  assert.equal(told("verl", "ppo", { [`${A}freeze_vision_tower`]: false }).settings["load_model.trainable"], undefined);
});

Deno.test("verl's arguments of the processor are the sizes of load_model, one by one or together, and others are told", () => {
  const of = (options: Parameters<typeof told>[2]) => told("verl", "ppo", options);
  const sizes = ({ settings }: ReturnType<typeof told>) => [
    settings["load_model.min_pixels"],
    settings["load_model.max_pixels"],
  ];
  const K = "data.mm_processor_kwargs";
  assert.deepEqual(sizes(of({ [`${K}.max_pixels`]: 200704 })), [undefined, 200704]);
  assert.deepEqual(sizes(of({ [K]: { min_pixels: 3136, max_pixels: 200704 } })), [3136, 200704]);
  assert.equal(of({ [K]: {} }).classes[K], "equal");
  assert.equal(of({ [K]: { sampling_rate: 16000 } }).classes[K], "not_supported");
  assert.equal(of({ [`${K}.sampling_rate`]: 16000 }).classes[`${K}.sampling_rate`], "not_supported");
});
