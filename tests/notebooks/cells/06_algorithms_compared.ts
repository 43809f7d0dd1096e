// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { compare, defineWorkflow, openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const estimators = ["grpo", "rloo", "reinforce_plus_plus"] as const;
const runs = [];
for (const estimator of estimators) {
  for (const seed of [1, 2, 3]) {
    const { folder } = await runWorkflow(defineWorkflow({
      name: "compared",
      params: { estimator },
      seed,
      threads: 1,
      steps: [
        { uses: "load_prompts", with: { task: "addition", digits: 1 } },
        { uses: "load_model", with: { model: "../tests/models/warm_addition" } },
        {
          repeat: 40,
          steps: [
            { uses: "sample_groups", with: { prompts_per_step: 16, group_size: 8, max_new_tokens: 4 } },
            { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
            { uses: "compute_advantages", with: { estimator: "${{ params.estimator }}" } },
            { uses: "apply_update", with: { learning_rate: 2e-4 } },
          ],
        },
      ],
    }));
    runs.push(await openRun(folder));
  }
}
const compared = await compare(...runs);
await show(compared.chart("reward"));
await show(compared.chart("entropy"));
await show(compared.chart("zero_spread_fraction"));
for (const [index, run] of runs.entries()) {
  const rewards = (run.tables.metrics.array("reward") as number[]).slice(-5);
  console.log(compared.labels[index]!.padEnd(32), `seed ${run.manifest?.seed}`, (rewards.reduce((a, b) => a + b, 0) / 5).toFixed(3));
};
