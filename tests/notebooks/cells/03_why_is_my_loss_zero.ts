// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { compare, defineWorkflow, openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const faults = { healthy: [], greedy: ["zero_temperature"], constant: ["constant_reward"], frozen: ["frozen_parameters"] };
const runs = [];
for (const [name, kinds] of Object.entries(faults)) {
  const { folder } = await runWorkflow(defineWorkflow({
    name,
    seed: 1,
    threads: 1,
    faults: kinds.map((kind) => ({ kind })) as never,
    steps: [
      { uses: "load_prompts", with: { task: "addition", digits: 1 } },
      { uses: "load_model", with: { model: "../tests/models/warm_addition", reference: "copy" } },
      {
        repeat: 20,
        steps: [
          { uses: "sample_groups", with: { prompts_per_step: 16, group_size: 8, max_new_tokens: 4 } },
          { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
          { uses: "compute_advantages", with: { estimator: "grpo" } },
          { uses: "apply_update", with: { learning_rate: 1e-4 } },
        ],
      },
    ],
  }));
  runs.push(await openRun(folder));
}
for (const { name, manifest, findings } of runs) {
  console.log(name.padEnd(9), manifest?.verdict?.verdict.padEnd(7), findings[0]?.cause ?? "–");
};
const four = await compare(...runs);
await show(four.chart("loss"));
await show(four.chart("grad_norm"));
await show(four.chart("zero_spread_fraction"));
await show(runs[0]!.chart("loss"));
for (const run of runs.slice(1)) {
  const { cause, message, hint } = run.findings[0]!;
  console.log(`${run.name}: ${cause}\n  ${message}\n  ${hint}`);
};
