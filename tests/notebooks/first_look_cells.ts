// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { diagnose, openRun, show } from "../../workflows/mod.ts";

const run = await openRun("last"); // or an id, a folder, another system's log
`${run.name}: ${run.manifest?.status} after ${run.tables.metrics.numRows()} train steps; charts: ${run.charts.join(", ")}`;
await show(run.chart("reward"));
await show(run.chart("entropy", { findings: true }));
await show(run.completions.select("train_step", "prompt", "text", "reward").slice(-8));
await diagnose(run.path);
