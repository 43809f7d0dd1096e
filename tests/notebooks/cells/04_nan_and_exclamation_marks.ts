// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const broken = await openRun((await runWorkflow("failures/nan_weight", { params: { train_steps: 20 } })).folder);
await show(broken.chart("reward", { findings: true }));
const [first] = broken.findings;
console.log(`${first!.severity}: ${first!.cause}, train step ${first!.train_steps[0]}\n  ${first!.message}\n  ${first!.hint}`);
await show(broken.chart("grad_norm", { findings: true }));
const noise = await openRun((await runWorkflow("failures/token_zero", { params: { train_steps: 10 } })).folder);
await show(noise.completions.select("train_step", "prompt", "text", "truncated", "reward").slice(-6));
for (const { cause, severity, message, hint } of noise.findings.slice(0, 2)) {
  console.log(`${severity}: ${cause}\n  ${message}\n  ${hint}`);
};
