/**
 * One GRPO train step, 8 prompts times 8 completions, through the workflow engine: rows in the peers' format.
 *
 *     deno task bench grpo_step -- --model FOLDER [--max-new 32] [--steps 12] [--threads 2] [--spinning 1] [--bare 0]
 * @module
 */
import { grpoBare } from "./grpo_bare.ts";
import { grpoThroughEngine } from "./grpo_workflow.ts";
import { openPeerModel } from "./peer_model.ts";
import { options, peakRssMb, report } from "./rows.ts";

export async function main(args: readonly string[]): Promise<void> {
  const { model, steps, threads, spinning, bare, ...given } = options(args, {
    "max-new": "32",
    steps: "12",
    threads: "2",
    spinning: "1",
    bare: "0",
  });
  for (const folder of model) {
    const { policy, head } = await openPeerModel(folder, { threads: Number(threads), spinning: spinning === "1" });
    const newTokens = Number(given["max-new"]), sizes = { steps: Number(steps), newTokens };
    const times = await (bare === "1" ? grpoBare : grpoThroughEngine)(policy, sizes);
    const shape = { prompts: 8, group: 8, new_tokens: newTokens, loss: "dapo", updates: 1, beta: 0 };
    const bench = bare === "1" ? "grpo_bare" : "grpo";
    report({ bench, ...head, ...shape }, times.map((row) => ({ ...row, peak_rss_mb: peakRssMb() })), 64 * newTokens);
    if (bare === "1") policy.release();
  }
}

if (import.meta.main) await main(Deno.args);
