import assert from "node:assert/strict";
import { told } from "./translated.ts";

const VISUAL = { model_name_or_path: "Qwen/Qwen2-VL-7B-Instruct" }, TEXT = { model_name_or_path: "Qwen/Qwen2.5-7B" };
type Options = Parameters<typeof told>[2];
const of = (options: Options, model: Options = VISUAL) => told("llamafactory", "sft", { ...model, ...options });
const excluded = (options: Options, model?: Options) =>
  (of(options, model).settings["load_model.lora"] as { exclude_modules?: string }).exclude_modules;

Deno.test("LLaMA-Factory's adapter keeps off tower and merger where nothing is said; lora_target all off the merger always", () => {
  assert.equal(excluded({}), ".*visual.*");
  assert.equal(excluded({ freeze_vision_tower: false }), ".*visual\\.merger.*");
  assert.equal(excluded({ freeze_multi_modal_projector: false }), ".*visual.*");
  assert.match(
    of({ freeze_multi_modal_projector: false }).texts["freeze_multi_modal_projector"]!,
    /lora_target all puts no adapter on the merger/,
  );
  const named = { lora_target: "q_proj,v_proj" };
  assert.equal(excluded({ ...named, freeze_multi_modal_projector: false }), ".*visual\\.(?:blocks|patch_embed).*");
  assert.equal(excluded({}, TEXT), undefined);
});

Deno.test("LLaMA-Factory trains all of the text of a model with images, where finetuning_type is full", () => {
  const trainable = (options: Options, model?: Options) =>
    of({ finetuning_type: "full", ...options }, model).settings["load_model.trainable"];
  assert.deepEqual(trainable({}), ["!visual.*"]);
  assert.deepEqual(trainable({ freeze_multi_modal_projector: false }), ["!visual.blocks.*", "!visual.patch_embed.*"]);
  assert.deepEqual(trainable({ train_mm_proj_only: true }), ["visual.merger.*"]);
  assert.deepEqual(trainable({ train_mm_proj_only: false }), ["!visual.*"]);
  assert.equal(trainable({}, TEXT), undefined);
});

Deno.test("LLaMA-Factory's images: at most 768 × 768 where nothing is said, from media_dir, and no videos", () => {
  assert.equal(of({}).settings["load_model.max_pixels"], 589824);
  assert.equal(of({ image_max_pixels: 262144 }).settings["load_model.max_pixels"], 262144);
  assert.equal(of({}, TEXT).settings["load_model.max_pixels"], undefined);
  assert.equal(of({ media_dir: "photos" }).wanted["load_prompts.image_folder"], "./photos");
  assert.equal(of({ image_dir: "/data/photos" }).wanted["load_prompts.image_folder"], "/data/photos");
  assert.equal(of({ video_max_pixels: 10_000 }).classes["video_max_pixels"], "not_supported");
  assert.equal(told("llamafactory", "dpo", { ...VISUAL, media_dir: "photos" }).classes["media_dir"], "not_supported");
});
