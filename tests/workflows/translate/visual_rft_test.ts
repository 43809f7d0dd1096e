import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { readForeign } from "../../../workflows/translate/read_options.ts";
import { translate } from "../../../workflows/translate/translate.ts";
import { RFT_FIXED, savedFolder } from "../../../workflows/translate/visual_rft.ts";
import { told } from "./translated.ts";

const example = (name: string) => join(import.meta.dirname!, "examples", name);
const uses = (
  trainer: string,
  options = {},
) => (told("visual-rft", trainer, options).wanted["score_rewards.rewards"] as { uses: string; with: object }[]);

Deno.test("Visual-RFT's entry script decides the rewards, each to the letter", () => {
  assert.deepEqual(uses("grpo").map(({ uses }) => uses), ["visual/iou", "visual/confidence", "visual/format"]);
  assert.deepEqual(uses("grpo_classification").map(({ uses }) => uses), ["visual/classification", "visual/format"]);
  assert.deepEqual(uses("grpo_lisa").map(({ uses }) => uses), ["visual/grounding", "visual/format"]);
  for (const trainer of Object.keys(RFT_FIXED)) {
    assert(uses(trainer).every((reward) => JSON.stringify(reward.with) === '{"compat":true}'));
    // --reward_funcs is read by none of the scripts.
    assert.deepEqual(uses(trainer, { reward_funcs: ["accuracy"] }), uses(trainer));
    const { classes, texts } = told("visual-rft", trainer, { reward_funcs: ["accuracy"] });
    assert.equal(classes["reward_funcs"], "equal");
    assert.match(texts["reward_funcs"]!, new RegExp(`^${trainer}\\.py does not read it`));
  }
});

Deno.test("savedFolder() keeps a folder, fetches a name of the Hub, and says what is none", () => {
  const given = { isLocal: (name: string) => name === "mine/here" } as never;
  const file = (value: string) => {
    const made = savedFolder(value, given);
    return "set" in made ? made.set["load_prompts.file"] : made;
  };
  assert.equal(file("./share_data/base65"), "./share_data/base65");
  assert.equal(file("/data/base65"), "/data/base65");
  assert.equal(file("datasets/base65"), "./datasets/base65");
  assert.equal(file("mine/here"), "./mine/here");
  assert.equal(file("laolao77/ViRFT_COCO"), "hf:datasets/laolao77/ViRFT_COCO");
  assert.deepEqual(file("NOT_USED"), { equal: "no name of data" });
  assert("lacks" in savedFolder({ unresolved: "$X" }, given));
});

Deno.test("translate() reads Visual-RFT's launch script inside of srun bash -c, and makes a plan", async () => {
  const file = example("visual_rft.sh"), foreign = await readForeign(file, "a.sh");
  assert.deepEqual([foreign.system, foreign.trainer], ["visual-rft", "grpo"]);
  const line = (name: string) => foreign.options.find((option) => option.name === name)!.line;
  assert.equal(Deno.readTextFileSync(file).split("\n")[line("max_pixels") - 1]!.trim(), "--max_pixels 401408 \\");
  const { outcomes, settings, text } = await translate(file, "a.sh", "mine");
  assert.deepEqual(outcomes.filter((outcome) => outcome.class === "unknown"), []);
  const wanted = {
    "load_model.model": "./share_models/Qwen2-VL-2B-Instruct",
    "load_prompts.file": "./share_data/base65cate_6k_think",
    "load_prompts.prompt_column": "problem",
    "load_prompts.answer_column": "solution",
    "sample_groups.prompts_per_step": 16,
    "sample_groups.max_new_tokens": 256,
    "apply_update.learning_rate": 1e-6,
    "apply_update.schedule": "linear",
    "workflow.checkpoint.every": 100,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, settings[name as "a.b"]])), wanted);
  assert.equal(planRuns(parseWorkflow(text, "mine.yaml", { kinds: STEPS }), STEPS, {}).length, 1);
});
