/**
 * Forward, backward, clip and AdamW on 64 different sequences of 8 + 32 tokens; and this machine's MatMul ceiling.
 *
 *     deno task bench train_64x40 -- --model FOLDER [--steps 12] [--threads 2] [--spinning 1]
 * @module
 */
import { adamw, ON_POLICY } from "./clipped_update.ts";
import { matmulCeiling } from "./matmul.ts";
import { openPeerModel, peerPrompts } from "./peer_model.ts";
import { emit, median, options, report, timed } from "./rows.ts";

const ROWS = 64, NEW = 32, PROMPT = 8;
const ADAMW = adamw(1e-4);

export async function main(args: readonly string[]): Promise<void> {
  const { model: folders, steps, threads, spinning } = options(args, { steps: "12", threads: "2", spinning: "1" });
  for (const folder of folders) {
    const { policy, head } = await openPeerModel(folder, { threads: Number(threads), spinning: spinning === "1" });
    const { model } = policy, { config, weights: { layout } } = model;
    const prompts = peerPrompts(ROWS).map((prompt) => policy.encodePrompt(prompt, NEW));
    const completions = prompts.map((_, r) => Int32Array.from({ length: NEW }, (_, t) => (r * 131 + t * 57) % 256));
    const advantages = prompts.map((_, r) => Math.sin(r));
    const rows = await timed(Number(steps), async () => {
      await model.accumulateGradient({ prompts, group: 1, completions, inputs: { advantages } }, ON_POLICY);
      await model.applyUpdate(ADAMW);
    });
    const width = PROMPT + NEW, tokens = ROWS * width;
    const flops = 6 * layout.count * tokens + 6 * config.layers * config.hiddenSize * width ** 2 * ROWS;
    const timedRows = rows.map((row) => ({ ...row, gflops: flops / (row["seconds"] as number) / 1e9 }));
    report({ bench: `train_${ROWS}x${width}`, ...head, new_tokens: NEW, batch: ROWS }, timedRows, tokens);
    const ceiling = await matmulCeiling(model.runtime, 1024);
    const gflops = median(timedRows.slice(3).map((row) => row.gflops));
    emit({ kind: "limit", bench: "matmul_share", ...head, gflops, ceiling_gflops: ceiling, share: gflops / ceiling });
    policy.release();
  }
}

if (import.meta.main) await main(Deno.args);
