/** Runs steps on prompts with images: scenes of digits, and a small Qwen2-VL that reads them. */
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
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
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(columnArray(table, name))]));
  const advantage = Array.from({ length: table.numRows() }, (_, i) => [1.5, -0.5, -1, 0][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
}
