// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const result = await runWorkflow("grpo", {
  params: { warm_updates: 400, train_steps: 40, prompts_per_step: 32 },
  charts: ["reward", "accuracy"],
});
await show(`${result.status} · ${result.verdict?.verdict} · ${result.runId}`);
const { before, after } = result.evaluations;
console.log(`sampled ${before?.sampled} → ${after?.sampled}, greedy ${before?.greedy} → ${after?.greedy}`);
const run = await openRun(result.folder);
await show(run.completions.select("train_step", "prompt", "text", "answer", "reward", "advantage").slice(-8));
await show(run.chart("groups"));
console.log(run.charts.join(", "));
await show(run.chart("completion_length"));
