// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const { folder, evaluations } = await runWorkflow("visual_detection", {
  params: { warm_updates: 250, train_steps: 100 },
  charts: ["reward", "iou"],
});
for (const when of ["before", "after"]) {
  const { sampled, greedy, truncated_fraction } = evaluations[when]!;
  console.log(`${when.padEnd(6)} sampled ${sampled}, greedy ${greedy}, cut off ${truncated_fraction}`);
};
const run = await openRun(folder);
await show(run.pictures());
await show(run.picturesBeforeAfter());
await show(run.chart("iou"));
await show(run.pictures({ correct: false, limit: 4 }));
