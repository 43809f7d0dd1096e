/**
 * What the workflow engine adds to a GRPO step: tables, events, findings; against a bare loop over the same model.
 *
 *     deno task bench engine_overhead -- --model FOLDER [--repeats 3] [--steps 9] [--max-new 32] [--threads 2]
 *
 * Both loops alternate in one process; medians over all steps after warm-up.
 * @module
 */
import { grpoBare } from "./grpo_bare.ts";
import { grpoThroughEngine } from "./grpo_workflow.ts";
import { openPeerModel } from "./peer_model.ts";
import { emit, median, options, WARMUP } from "./rows.ts";

export async function main(args: readonly string[]): Promise<void> {
  const { model: folders, repeats, steps, threads, spinning, ...given } = options(args, {
    repeats: "3",
    steps: "9",
    "max-new": "32",
    threads: "2",
    spinning: "1",
  });
  const sizes = { steps: Number(steps), newTokens: Number(given["max-new"]) };
  for (const folder of folders) {
    const bare: number[] = [], engine: number[] = [];
    let head = {};
    for (let repeat = 0; repeat < Number(repeats); repeat++) {
      const opened = await openPeerModel(folder, { threads: Number(threads), spinning: spinning === "1" });
      head = opened.head;
      const kept = (rows: readonly { seconds: number }[]) => rows.slice(WARMUP).map(({ seconds }) => seconds);
      bare.push(...kept(await grpoBare(opened.policy, sizes)));
      // The run releases the model.
      engine.push(...kept(await grpoThroughEngine(opened.policy, { ...sizes, diagnose: true })));
    }
    const [a, b] = [median(bare), median(engine)], overhead = b / a - 1;
    emit({
      kind: "summary",
      bench: "engine_overhead",
      ...head,
      new_tokens: sizes.newTokens,
      n: bare.length,
      seconds: b,
      bare_seconds: a,
      overhead,
      overhead_of_fastest: Math.min(...engine) / Math.min(...bare) - 1,
    });
  }
}

if (import.meta.main) await main(Deno.args);
