import assert from "node:assert/strict";
import { told } from "./translated.ts";

const MODEL = { "actor.model_name_or_path": "Qwen/Qwen2.5-VL-3B-Instruct" };

Deno.test("OpenRLHF reads images where max_images_per_prompt is above 0, from the column of image_key", () => {
  const column = (options: Parameters<typeof told>[2]) =>
    told("openrlhf", "ppo", { ...MODEL, ...options }).wanted["load_prompts.image_column"];
  assert.equal(column({ "data.image_key": "pics", "data.max_images_per_prompt": 1 }), "pics");
  assert.equal(column({ max_images_per_prompt: 2 }), "images");
  assert.equal(column({ "data.image_key": "pics" }), undefined);
  const { texts } = told("openrlhf", "ppo", { "data.image_key": "pics" });
  assert.match(texts["data.image_key"]!, /without effect unless max_images_per_prompt is above 0/);
});

Deno.test("OpenRLHF's freeze_visual_encoder leaves all but the language model as it is, under both of its names", () => {
  const of = (options: Parameters<typeof told>[2]) => told("openrlhf", "ppo", { ...MODEL, ...options }).settings;
  assert.deepEqual(of({ "actor.freeze_visual_encoder": true })["load_model.trainable"], ["!visual.*"]);
  assert.deepEqual(of({ freeze_visual_encoder: true })["load_model.trainable"], ["!visual.*"]);
  assert.equal(of({})["load_model.trainable"], undefined);
  for (const rank of ["ds.lora.rank", "lora_rank"]) {
    const lora = of({ "actor.freeze_visual_encoder": true, [rank]: 16 })["load_model.lora"];
    assert.deepEqual(lora, { rank: 16, alpha: 16, target_modules: "all_linear", exclude_modules: ".*visual.*" }, rank);
  }
});

Deno.test("OpenRLHF's pairs have no images", () => {
  const { classes } = told("openrlhf", "dpo", { "data.image_key": "pics" });
  assert.equal(classes["data.image_key"], "not_supported");
});
