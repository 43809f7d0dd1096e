/** VLM-R1: its options as those of our steps, of grpo_rec.py and of grpo_jsonl.py. @module */
import { loraOf } from "./adapters.ts";
import { alike, computed, each, lacking, noNumber, placeOf } from "./entries.ts";
import type { Entry, Given, Made, Settings, Table } from "./table.ts";
import { TRL_LORA } from "./trl_model.ts";
import { NO_DATA, PROBLEM_COLUMNS, VISUAL_FIXED, type VisualBatch, visualTable } from "./visual_grpo.ts";
import { isUnresolved, shownValue, type Value } from "./written.ts";

/** grpo_jsonl.py's trainer counts completions and uses a rollout num_iterations times (open_r1/trainer/grpo_trainer.py). */
export const VLM_BATCH: VisualBatch = { counts: "completions", iterates: true };

/** What its programs do whatever stands in the file: rows are LLaVA's conversations, or problems with solutions. */
export const VLM_FIXED = {
  grpo_jsonl: {
    ...VISUAL_FIXED,
    // Its loader takes the first two messages, the question and the solution.
    "load_prompts.prompt_column": "conversations.0.value",
    "load_prompts.answer_column": "conversations.1.value",
    "load_prompts.image_column": "image",
  },
  grpo_rec: { ...VISUAL_FIXED, ...PROBLEM_COLUMNS },
} as const satisfies Readonly<Record<string, Settings>>;

/** What the program does to every prompt, which the rows of a workflow must hold. */
export const VLM_NOTES: readonly string[] = [
  "VLM-R1 puts a sentence behind every question that asks for <think>…</think> and <answer>…</answer>, for boxes in JSON: " +
  "write it into the prompts",
];

/** A think block, then an answer that holds an object with four whole numbers in brackets (format_reward_rec). */
const BOX_FORMAT = "<think>[\\s\\S]*?</think>\\s*<answer>[\\s\\S]*?\\{[\\s\\S]*\\[\\d+(?:,\\s*\\d+){3}\\][\\s\\S]*\\}" +
  "[\\s\\S]*?</answer>";

/** Its accuracy is that of boxes in grpo_rec.py, and in grpo_jsonl.py where the model's module judges the task rec. */
function judgesBoxes(given: Given, always: boolean): boolean {
  return always ||
    given.value("is_reward_customized_from_vlm_module") === true && given.value("task_type") === "rec";
}

function rewardsOf(value: Value, given: Given, always: boolean): Made {
  const boxes = judgesBoxes(given, always);
  const names = (Array.isArray(value) ? value : [value]).map(shownValue).flatMap((name) => name.split(/[\s,]+/));
  const notes: string[] = [];
  const rewards = names.map((name) => {
    if (name === "accuracy" && boxes) {
      notes.push("accuracy is the IoU of the answer's box, in pixels");
      return { uses: "visual/grounding", with: { box_unit: "pixels", answer_unit: "pixels" } };
    }
    if (name === "accuracy") {
      notes.push("accuracy compares numbers, choice letters or letters there, by load_prompts: verifier here");
      return { uses: "verifier" };
    }
    if (name === "format" && boxes) return { uses: "regex", name: "format", with: { pattern: BOX_FORMAT } };
    if (name === "format") return { uses: "visual/format", with: { compat: true } };
    notes.push(`write ${name.replaceAll(/\W+/g, "_")}.ts`);
    return { uses: `./${name.replaceAll(/\W+/g, "_").toLowerCase() || "reward"}.ts` };
  });
  return { set: { "score_rewards.rewards": rewards }, note: notes.join("; ") };
}

/** Several files with a folder of images each, `a.jsonl:b.jsonl`: one is read here. */
function firstOf(value: Value, target: "load_prompts.file" | "load_prompts.image_folder"): Made {
  if (isUnresolved(value) || typeof value !== "string" || value === "") {
    return {
      lacks: `only known when the program runs (${shownValue(value)}); put it into ${target.replace(".", ": ")}`,
    };
  }
  const names = value.split(":"), [first] = names;
  const place = target === "load_prompts.file" ? placeOf(first!, "data") : folderOf(first!);
  return {
    set: { [target]: place },
    note: names.length > 1 ? `the first of ${names.length}: write the rows of the others into it` : "",
  };
}

const folderOf = (name: string) => /^\.{0,2}\//.test(name) ? name : `./${name}`;

/** Every linear layer outside of the vision tower gets an adapter, whatever lora_target_modules says. */
const adapter: Entry["make"] = (_, given) => {
  if (given.value("use_peft") !== true) return { equal: "all weights train" };
  const { "load_model.lora": lora } = loraOf(given, TRL_LORA) as { readonly "load_model.lora": object };
  return {
    set: { "load_model.lora": { ...lora, target_modules: "all_linear", exclude_modules: ".*visual.*" } },
    note: "on every linear layer of the text; there the head gets one as well",
  };
};

/** How far a ratio may go: one bound, or one upwards of its own. */
const clips: Entry["make"] = (value, given) => {
  if (value !== null && typeof value !== "number") return noNumber(value);
  const low = given.number("epsilon", 0.2), high = given.number("epsilon_high", low);
  return { set: { "apply_update.clip_low": low, "apply_update.clip_high": high } };
};

function tableOf(always: boolean): Table {
  const score: Entry["make"] = (_, given) =>
    rewardsOf(given.value("reward_funcs") ?? ["accuracy", "format"], given, always);
  return {
    ...visualTable(VLM_BATCH),
    max_prompt_length: alike("no prompt is cut, there and here"),
    temperature: alike("not read: completions are drawn at 1 there and here"),
    num_iterations: computed(
      1,
      (value) => typeof value !== "number" ? noNumber(value) : { set: { "apply_update.updates_per_rollout": value } },
    ),
    epsilon: computed(0.2, clips),
    epsilon_high: computed(null, clips),
    reward_weights: alike("not read: rewards are added up"),
    freeze_vision_modules: computed(
      false,
      (value, given) =>
        value !== true
          ? { equal: "all weights train" }
          : given.value("use_peft") === true
          ? { equal: "an adapter trains, outside of the vision tower" }
          : {
            set: { "load_model.trainable": ["!visual.*"] },
            note: "the merger stays as well, there and here",
          },
    ),
    ...each(
      "use_peft lora_r lora_alpha lora_dropout lora_target_modules lora_modules_to_save use_rslora",
      computed(undefined, adapter),
    ),
    reward_funcs: computed(["accuracy", "format"], score),
    ...each("is_reward_customized_from_vlm_module task_type", computed(undefined, score)),
    reward_method: lacking("set verifier of load_prompts to how the answers are compared", {
      at: [null, "default"],
      text: "as accuracy is",
    }),
    val_split_ratio: computed(
      0,
      (value) =>
        typeof value !== "number"
          ? noNumber(value)
          : { set: { "load_prompts.splits": { train: 1 - value, validation: value, held_out: 0 } } },
    ),
    arrow_cache_dir: alike("rows are read as they are needed"),
    max_anyres_num: alike("of InternVL alone"),
    max_line_res: lacking("max_pixels bounds an image", { at: [null], text: "max_pixels bounds an image" }),
    data_file_paths: computed(undefined, (value) => firstOf(value, "load_prompts.file"), { asText: true }),
    ...each(
      "image_folders image_root",
      computed(undefined, (value) => firstOf(value, "load_prompts.image_folder"), { asText: true }),
    ),
    dataset_name: computed(
      undefined,
      (value, given) =>
        given.isWritten("data_file_paths") || typeof value === "string" && NO_DATA.test(value)
          ? { equal: "data_file_paths names the rows" }
          : { lacks: "a list of files: write their rows into the file of load_prompts" },
      { asText: true },
    ),
  };
}

/** Options of grpo_jsonl.py. */
export const VLM_JSONL: Table = tableOf(false);

/** Options of grpo_rec.py, whose accuracy is that of boxes. */
export const VLM_REC: Table = tableOf(true);
