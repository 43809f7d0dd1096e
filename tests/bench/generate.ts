/**
 * Sampling alone at batches of 1, 8 and 64 different prompts: bench generate_b1, generate_b8, generate_b64.
 *
 *     deno task bench generate -- --model FOLDER [--batches 1,8,64] [--max-new 128] [--steps 12] [--threads 2]
 * @module
 */
import { uniform } from "../../data/random.ts";
import { openPeerModel, peerPrompts } from "./peer_model.ts";
import { options, report, timed } from "./rows.ts";

export async function main(args: readonly string[]): Promise<void> {
  const { model: folders, steps, threads, spinning, batches, ...given } = options(args, {
    "max-new": "128",
    batches: "1,8,64",
    steps: "12",
    threads: "2",
    spinning: "1",
  });
  const maxNewTokens = Number(given["max-new"]);
  for (const folder of folders) {
    const { policy, head } = await openPeerModel(folder, { threads: Number(threads), spinning: spinning === "1" });
    for (const batch of batches.split(",").map(Number)) {
      const prompts = peerPrompts(batch).map((prompt) => policy.encodePrompt(prompt, maxNewTokens));
      const rows = await timed(Number(steps), async (step) => {
        const sampled = await policy.model.sample(prompts, 1, {
          temperature: 1,
          topK: 0,
          topP: 1,
          minP: 0,
          repetitionPenalty: 1,
          maxNewTokens,
          eosIds: [],
          uniforms: (row, token) => uniform(1, "generate", step, row, token),
        });
        const short = sampled.find(({ tokenIds }) => tokenIds.length !== maxNewTokens);
        if (short) throw new Error(`Cannot time generate: a completion has ${short.tokenIds.length} tokens`);
      });
      const shape = { bench: `generate_b${batch}`, batch, new_tokens: maxNewTokens };
      report({ ...head, ...shape }, rows, batch * maxNewTokens);
    }
    policy.release();
  }
}

if (import.meta.main) await main(Deno.args);
