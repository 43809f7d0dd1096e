// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import * as aq from "arquero";
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
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const last = runs.map((run) => mean(Array.from(run.tables.metrics.array("reward") as Iterable<number>).slice(-5)));
const of = (seed: number) => estimators.map((_, i) => last[3 * i + seed - 1]!);
await show(aq.table({
  estimator: estimators,
  "seed 1": of(1),
  "seed 2": of(2),
  "seed 3": of(3),
  mean: estimators.map((_, i) => mean(last.slice(3 * i, 3 * i + 3))),
}));
