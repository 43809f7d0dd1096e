import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ratioHistogram } from "../../../steps/training/ratio_histogram.ts";
import { defineWorkflow, openRun, runWorkflow } from "../../../workflows/mod.ts";

/** Knows a part of the sums: its groups differ. */
const MODEL = fileURLToPath(new URL("../../models/warm_addition", import.meta.url));

type Batches = Parameters<typeof ratioHistogram>[0];
type Results = Parameters<typeof ratioHistogram>[1];

Deno.test("ratioHistogram() counts the tokens that count, over all batches of an update", () => {
  const batch = (old: number[][], mask: number[][]) => ({ inputs: { old_logprobs: old }, completionMask: mask });
  const batches = [batch([[-1, -1, -9]], [[1, 1, 0]]), batch([[-2]], [[1]])] as unknown as Batches;
  const results = [{ logprobs: [[-1, -1.5, 0]] }, { logprobs: [[-2.1]] }] as unknown as Results;
  const shares = ratioHistogram(batches, results)!;
  const held = shares.flatMap((share, bin) => share ? [[bin, share]] : []);
  assert.deepEqual(held, [[10, 1 / 3], [18, 1 / 3], [20, 1 / 3]]);
  const first = [{ inputs: {}, completionMask: [[1]] }] as unknown as Batches;
  assert.equal(ratioHistogram(first, results.slice(1)), null);
});

Deno.test("a step that uses its rollout twice stores the ratios of the second update, which leave 1", async () => {
  const runs = await Deno.makeTempDir();
  try {
    const { folder } = await runWorkflow(
      defineWorkflow({
        name: "twice",
        seed: 1,
        threads: 1,
        steps: [
          { uses: "load_prompts", with: { task: "addition", digits: 1 } },
          { uses: "load_model", with: { model: MODEL } },
          {
            repeat: 1,
            steps: [
              { uses: "sample_groups", with: { prompts_per_step: 4, group_size: 4, max_new_tokens: 4 } },
              { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
              { uses: "compute_advantages", with: { estimator: "grpo" } },
              { uses: "apply_update", with: { learning_rate: 1e-2, updates_per_rollout: 2 } },
            ],
          },
        ],
      }),
      { runs },
    );
    const run = await openRun(folder),
      lists = run.tables.updates.array("ratio_histogram") as (ArrayLike<number> | null)[];
    const second = Array.from(lists[1]!);
    assert(Math.abs(second.reduce((a, b) => a + b, 0) - 1) < 1e-5);
    assert(second.filter((share) => share > 0).length > 1, "the policy has moved");
    assert(run.charts.includes("ratios"));
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
