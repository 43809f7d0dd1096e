// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const { folder, evaluations } = await runWorkflow("dpo", {
  params: { warm_updates: 400, updates: 100, batch_size: 32 },
  charts: ["loss", "preference_accuracy"],
});
for (const [when, { sampled, greedy, truncated_fraction }] of Object.entries(evaluations)) {
  console.log(`${when.padEnd(6)} sampled ${sampled}, greedy ${greedy}, cut off ${truncated_fraction}`);
};
const run = await openRun(folder);
await show(run.tables.preferences.select("prompt", "chosen", "rejected").slice(0, 5));
await show(run.chart("reward_margin"));
await show(run.chart("preference_logprobs"));
