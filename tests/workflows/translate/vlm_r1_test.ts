import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { translate } from "../../../workflows/translate/translate.ts";
import { VLM_FIXED, VLM_NOTES } from "../../../workflows/translate/vlm_r1.ts";
import { told } from "./translated.ts";

type Options = Parameters<typeof told>[2];
const rewards = (options: Options, trainer = "grpo_jsonl") =>
  told("vlm-r1", trainer, options).wanted["score_rewards.rewards"] as { uses: string; with?: { pattern?: string } }[];
const names = (options: Options, trainer?: string) => rewards(options, trainer).map(({ uses }) => uses);
const REC = { is_reward_customized_from_vlm_module: true, task_type: "rec" };

Deno.test("VLM-R1's accuracy is of boxes in grpo_rec.py and where its module judges the task rec, else of texts", () => {
  assert.deepEqual(names({}), ["verifier", "visual/format"]);
  assert.deepEqual(names(REC), ["visual/grounding", "regex"]);
  assert.deepEqual(names({ ...REC, task_type: "ic" }), ["verifier", "visual/format"]);
  assert.deepEqual(names({ ...REC, is_reward_customized_from_vlm_module: false }), ["verifier", "visual/format"]);
  assert.deepEqual(names({}, "grpo_rec"), ["visual/grounding", "regex"]);
  assert.deepEqual(names({ reward_funcs: ["format", "own/Rank"] }), ["visual/format", "./own_rank.ts"]);
});

Deno.test("VLM-R1's format of boxes wants a think block and an object with four whole numbers", () => {
  const pattern = new RegExp(rewards(REC)[1]!.with!.pattern!);
  const answer = (boxes: string) => `<think>here</think>\n<answer>\`\`\`json\n${boxes}\n\`\`\`</answer>`;
  assert.match(answer('[{"bbox_2d": [1, 2, 30, 40], "label": "a"}]'), pattern);
  assert.doesNotMatch(answer("[1, 2, 30, 40]"), pattern, "no object");
  assert.doesNotMatch(answer('{"bbox_2d": [1.5, 2, 30, 40]}'), pattern, "no whole numbers");
  assert.doesNotMatch(answer('{"bbox_2d": [1, 2, 3, 4]}').replace("<think>", ""), pattern);
});

Deno.test("VLM-R1's adapter is on the text whatever lora_target_modules says; a frozen tower without one is said", () => {
  const lora =
    told("vlm-r1", "grpo_jsonl", { use_peft: true, lora_r: 64, lora_alpha: 128, lora_target_modules: "q_proj" })
      .wanted["load_model.lora"];
  assert.deepEqual(lora, {
    rank: 64,
    alpha: 128,
    dropout: 0.05,
    target_modules: "all_linear",
    exclude_modules: ".*visual.*",
  });
  const frozen = (options: Options) => told("vlm-r1", "grpo_jsonl", options).settings["load_model.trainable"];
  assert.deepEqual(frozen({ freeze_vision_modules: true }), ["!visual.*"]);
  assert.equal(frozen({ freeze_vision_modules: true, use_peft: true }), undefined);
  assert.equal(frozen({}), undefined);
});

Deno.test("VLM-R1's bounds, splits, files and folders", () => {
  const of = (options: Options) => told("vlm-r1", "grpo_jsonl", options).wanted;
  assert.deepEqual([of({})["apply_update.clip_low"], of({ epsilon: 0.1 })["apply_update.clip_high"]], [0.2, 0.1]);
  assert.equal(of({ epsilon_high: 0.3 })["apply_update.clip_high"], 0.3);
  assert.deepEqual(of({ val_split_ratio: 0.25 })["load_prompts.splits"], {
    train: 0.75,
    validation: 0.25,
    held_out: 0,
  });
  const files = of({ data_file_paths: "/a/x.jsonl:/a/y.jsonl", image_folders: "coco:coco" });
  assert.deepEqual([files["load_prompts.file"], files["load_prompts.image_folder"]], ["/a/x.jsonl", "./coco"]);
  const { texts } = told("vlm-r1", "grpo_jsonl", { data_file_paths: "/a/x.jsonl:/a/y.jsonl" });
  assert.match(texts["data_file_paths"]!, /the first of 2: write the rows of the others into it/);
  assert.equal(of({ num_iterations: 4 })["apply_update.updates_per_rollout"], 4);
});

Deno.test("translate() reads VLM-R1's launch script, knows every option of it, and makes a plan", async () => {
  const { outcomes, settings, notes, text } = await translate(
    join(import.meta.dirname!, "examples/vlm_r1.sh"),
    "a.sh",
    "mine",
  );
  assert.deepEqual(outcomes.filter((outcome) => outcome.class === "unknown"), []);
  assert.deepEqual(
    [settings["load_prompts.answer_column"], settings["load_model.reference"], settings["load_prompts.file"]],
    [VLM_FIXED.grpo_jsonl["load_prompts.answer_column"], "adapter_off", "./data/refcoco_train.jsonl"],
  );
  assert(notes.includes(VLM_NOTES[0]!));
  assert(notes.some((note) => /with (?:a column|columns) conversations/.test(note)));
  assert.equal(planRuns(parseWorkflow(text, "mine.yaml", { kinds: STEPS }), STEPS, {}).length, 1);
});
