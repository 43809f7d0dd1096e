import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { R1V_FIXED, R1V_NOTES } from "../../../workflows/translate/r1_v.ts";
import { translate } from "../../../workflows/translate/translate.ts";
import { told } from "./translated.ts";

Deno.test("R1-V takes its rewards by name, and has two", () => {
  const of = (reward_funcs: string | string[]) => told("r1-v-family", "grpo", { reward_funcs });
  const names = (wanted: object) =>
    ((wanted as Record<string, { uses: string }[]>)["score_rewards.rewards"]!).map(({ uses }) => uses);
  assert.deepEqual(names(told("r1-v-family", "grpo", {}).wanted), ["numeric_match", "visual/format"]);
  assert.deepEqual(names(of("format").wanted), ["visual/format"]);
  const other = of(["accuracy", "length"]);
  assert.match(other.texts["reward_funcs"]!, /"length" is none of R1-V's: accuracy, format; R1-V's default/);
  assert.deepEqual(names(other.wanted), ["numeric_match", "visual/format"]);
});

Deno.test("translate() reads R1-V's launch script, tells what it adds to prompts, and makes a plan", async () => {
  const { outcomes, settings, notes, text } = await translate(
    join(import.meta.dirname!, "examples/r1_v.sh"),
    "a.sh",
    "mine",
  );
  assert.deepEqual(outcomes.filter((outcome) => outcome.class === "unknown"), []);
  assert.deepEqual(
    [settings["load_prompts.file"], settings["sample_groups.temperature"], settings["workflow.train_steps"]],
    ["hf:datasets/leonardPKU/clevr_cogen_a_train", 0.9, 500],
  );
  assert.equal(settings["load_prompts.prompt_column"], R1V_FIXED["load_prompts.prompt_column"]);
  assert(notes.includes(R1V_NOTES[0]!));
  assert.equal(planRuns(parseWorkflow(text, "mine.yaml", { kinds: STEPS }), STEPS, {}).length, 1);
});
