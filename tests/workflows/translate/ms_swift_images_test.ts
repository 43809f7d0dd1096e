import assert from "node:assert/strict";
import { told } from "./translated.ts";

const VISUAL = { model: "Qwen/Qwen2.5-VL-3B-Instruct" }, TEXT = { model: "Qwen/Qwen2.5-3B-Instruct" };
type Options = Parameters<typeof told>[2];
const of = (options: Options, model: Options = VISUAL) => told("ms-swift", "grpo", { ...model, ...options });
const excluded = (options: Options, model?: Options) =>
  (of(options, model).settings["load_model.lora"] as { exclude_modules?: string }).exclude_modules;

Deno.test("ms-swift's adapter stands on the text alone unless freeze_vit or freeze_aligner are false", () => {
  assert.equal(excluded({}), ".*visual.*");
  assert.equal(excluded({ freeze_vit: false }), ".*visual\\.merger.*");
  assert.equal(excluded({ freeze_aligner: false }), ".*visual\\.(?:blocks|patch_embed).*");
  assert.equal(excluded({ freeze_vit: false, freeze_aligner: false }), undefined);
  assert.equal(excluded({ freeze_vit: false, freeze_aligner: false, freeze_llm: true }), "model\\..*");
  assert.equal(excluded({ target_modules: ["q_proj", "v_proj"] }), undefined, "names stand as they are");
  assert.match(of({ target_modules: "q_proj", freeze_vit: true }).texts["freeze_vit"]!, /target_modules names where/);
  assert.equal(excluded({}, TEXT), undefined);
});

Deno.test("ms-swift trains all of the text and nothing else of a model with images, where train_type is full", () => {
  const trainable = (options: Options, model?: Options) =>
    of({ train_type: "full", ...options }, model).settings["load_model.trainable"];
  assert.deepEqual(trainable({}), ["!visual.*"]);
  assert.deepEqual(trainable({ freeze_vit: false }), ["!visual.merger.*"]);
  assert.deepEqual(trainable({ freeze_llm: true, freeze_aligner: false }), ["visual.merger.*"]);
  assert.equal(trainable({ freeze_vit: false, freeze_aligner: false }), undefined);
  assert.equal(trainable({}, TEXT), undefined);
  const all = of({ train_type: "full", freeze_llm: true });
  assert.deepEqual([all.classes["freeze_llm"], all.texts["freeze_llm"]], [
    "not_supported",
    "nothing of the model would train",
  ]);
});

Deno.test("ms-swift's sizes of images are ours, those of its tokens and the form of boxes are told", () => {
  const { settings, classes } = of({ max_pixels: 200704, norm_bbox: "norm1000", image_max_token_num: 256 });
  assert.equal(settings["load_model.max_pixels"], 200704);
  assert.deepEqual([classes["norm_bbox"], classes["image_max_token_num"]], ["not_supported", "not_supported"]);
});
