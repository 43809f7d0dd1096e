import assert from "node:assert/strict";
import { join } from "node:path";
import { imagesIn, textOfPrompt } from "../../../data/datasets/prompt_images.ts";
import { tableOf } from "../../../data/tables/mod.ts";
import { loadPrompts } from "../../../steps/load_prompts.ts";
import { scoreRewards } from "../../../steps/score_rewards.ts";
import { translate } from "../../../workflows/translate/translate.ts";
import { goldenImage } from "../../data/images/image_goldens.ts";
import { stepContext } from "../../steps/contexts/reward_steps.ts";
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

const EXAMPLES = join(import.meta.dirname!, "examples");

/** Rows as each program's data sets have them, a completion that is right, and what it earns. */
const CASES = {
  "visual_rft.sh": {
    row: {
      image: "rgb.png",
      problem: "Detect all cats.",
      solution: "<answer>[{'Position': [10, 20, 300, 500], 'Confidence': 1}]</answer>",
    },
    completion: "<think>a</think><answer>[{'Position': [10, 140, 300, 500], 'Confidence': 0.5}]</answer>",
    rewards: { "visual/iou": 0.75, "visual/confidence": 0.5, "visual/format": 1 },
  },
  "vlm_r1.sh": {
    row: {
      image: "rgb.png",
      conversations: [{ from: "human", value: "<image>Where is the cat?" }, { from: "gpt", value: "[0, 1, 4, 5]" }],
    },
    completion: '<think>a</think><answer>{"bbox_2d": [0, 1, 4, 3]}</answer>',
    rewards: { "visual/grounding": 0.5, format: 1 },
  },
  "r1_v.sh": {
    row: { image: "rgb.png", problem: "How many?", solution: "<answer> 5 </answer>" },
    completion: "<think>a</think><answer>5</answer>",
    rewards: { accuracy_reward: 1, "visual/format": 1 },
  },
} as const;

for (const [name, { row, completion, rewards }] of Object.entries(CASES)) {
  Deno.test(`a workflow translated from ${name} reads that program's rows, and scores them`, async () => {
    const { settings } = await translate(join(EXAMPLES, name), "a.sh", "mine");
    const of = (step: string) =>
      Object.fromEntries(
        Object.entries(settings).filter(([key]) => key.startsWith(`${step}.`)).map(([key, value]) => [
          key.slice(step.length + 1),
          value,
        ]),
      );
    const folder = await Deno.makeTempDir();
    try {
      Deno.writeFileSync(join(folder, "rgb.png"), goldenImage("rgb.png"));
      Deno.writeTextFileSync(join(folder, "data.jsonl"), `${JSON.stringify(row)}\n`);
      const splits = { train: 1, validation: 0, held_out: 0 };
      const given = { ...of("load_prompts"), file: join(folder, "data.jsonl"), image_folder: folder, splits };
      const context = stepContext({}, { workflow: folder, run: join(folder, "run") });
      const { tables } = await loadPrompts.run(loadPrompts.params.parse(given), context);
      const prompts = tables!.prompts!, [asked] = prompts.objects() as { prompt: string; answer: string }[];
      assert.equal(imagesIn(asked!.prompt).length, 1);
      assert.doesNotMatch(textOfPrompt(asked!.prompt), /<image>/);
      const completions = tableOf("completions", {
        train_step: [1],
        prompt_id: [0],
        sample: [0],
        prompt: [asked!.prompt],
        answer: [asked!.answer],
        text: [completion],
        truncated: [false],
        completion_tokens: [20],
      });
      const scoring = scoreRewards.params.parse(of("score_rewards"));
      const scored = await scoreRewards.run(scoring, stepContext({ prompts, completions }, { workflow: folder }));
      const [score] = scored.tables!.completions!.objects() as Record<string, number>[];
      assert.deepEqual(
        Object.fromEntries(Object.keys(rewards).map((name) => [name, score![`reward.${name}`]])),
        rewards,
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
