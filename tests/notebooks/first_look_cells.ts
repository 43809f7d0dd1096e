// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { diagnose, openRun } from "../../workflows/mod.ts";
import { chartBundle, show, tableBundle } from "../../notebooks/display.ts";

const run = openRun("last"); // or an id, a unique part of one, a folder
`${run.manifest.name}: ${run.manifest.status} after ${run.manifest.train_step} train steps`;
const metrics = run.table("metrics");
await show(chartBundle("reward", metrics));
await show(chartBundle("entropy", metrics));
await show(tableBundle(run.table("completions").select("train_step", "prompt", "text", "reward").slice(-8)));
await diagnose(run.path);
