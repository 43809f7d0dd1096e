/** Runs steps on prompts with images: scenes of digits, and a small Qwen2-VL that reads them. */
import assert from "node:assert/strict";
import { imagesIn, promptWithImages, textOfPrompt } from "../../../data/datasets/prompt_images.ts";
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
import type { TableName } from "../../../steps/step.ts";
import { modelFolder } from "./model_folders.ts";
import { type TrainingRun, type TrainingRunOptions, withRun } from "./training_run.ts";

/** One digit per scene; few scenes are drawn quickly. */
export const SCENES = { task: "visual_detection", train_scenes: 32, validation_scenes: 4, held_out_scenes: 8 };

/** Scenes with a policy: `qwen2_vl` of random weights, or `warm_visual`, which nearly finds digits. */
export function withVisual(
  body: (run: TrainingRun) => Promise<void>,
  model: Record<string, unknown> & { readonly model?: string } = {},
  options: TrainingRunOptions = {},
): Promise<void> {
  const { model: name = "qwen2_vl", ...given } = model;
  return withRun(async (run) => {
    const folder = modelFolder(run.folder, name, { tokenizer: false });
    await run.run("load_prompts", SCENES);
    await run.run("load_model", { model: folder, ...given });
    await body(run);
  }, options);
}

/** Two prompts with four completions each, which have advantages of their own. */
export async function visualRollout(run: TrainingRun, sampling: Record<string, unknown> = {}): Promise<void> {
  run.tables.advance();
  await run.run("sample_groups", { prompts_per_step: 2, group_size: 4, max_new_tokens: 5, ...sampling });
  await run.run("score_rewards", { rewards: [{ uses: "visual/iou" }] });
  await run.run("compute_advantages", { estimator: "grpo" });
  const columns = columnsOf(run, "completions");
  const advantage = columns["text"]!.map((_, i) => [1.5, -0.5, -1, 0][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
}

/** The columns of a table as lists. */
function columnsOf(run: TrainingRun, name: TableName): Record<string, unknown[]> {
  const table = run.tables.table(name);
  return Object.fromEntries(table.columnNames().map((column) => [column, Array.from(columnArray(table, column))]));
}

/** The prompts of a table with the images of the prompt that follows: all else stays. */
export function exchangeImages(run: TrainingRun, name: TableName = "completions"): void {
  const columns = columnsOf(run, name), prompts = columns["prompt"] as string[], each = [...new Set(prompts)];
  const next = new Map(each.map((prompt, i) => [prompt, imagesIn(each[(i + 1) % each.length]!)]));
  for (const [prompt, images] of next) assert.notDeepEqual(imagesIn(prompt), images);
  const prompt = prompts.map((text) => promptWithImages(textOfPrompt(text), next.get(text)!));
  run.tables.write({ [name]: tableOf(name, { ...columns, prompt }) }, "test");
}
