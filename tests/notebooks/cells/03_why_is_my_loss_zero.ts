// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { compare, openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const kinds = {
  healthy: "failures/clean/grpo",
  greedy: "failures/zero_temperature",
  constant: "failures/constant_reward",
  frozen: "failures/frozen_parameters",
};
const runs = [];
for (const file of Object.values(kinds)) {
  const { folder } = await runWorkflow(file, { params: { train_steps: 20 } });
  runs.push(await openRun(folder));
}
await show(runs.map((run) => `${run.name.padEnd(18)} ${run.manifest?.verdict?.verdict.padEnd(8)} ${run.findings[0]?.cause ?? "–"}`).join("\n"));
const four = await compare(...runs);
await show(four.chart("loss"));
await show(four.chart("grad_norm"));
await show(four.chart("zero_spread_fraction"));
await show(runs[0]!.chart("loss"));
for (const run of runs.slice(1)) {
  const { cause, message, hint } = run.findings[0]!;
  console.log(`${run.name}: ${cause}\n  ${message}\n  ${hint}`);
};
