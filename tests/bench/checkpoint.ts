/**
 * Saving weights and moments with hashes and fsync, against writing as many bytes with one fsync.
 *
 *     deno task bench checkpoint -- --model FOLDER [--steps 8]
 * @module
 */
import { RunTables } from "../../workflows/store/run_tables.ts";
import { writeCheckpoint } from "../../workflows/store/checkpoint.ts";
import { PolicyOptimizer } from "../../steps/resources/optimizer.ts";
import { RECORD } from "../workflows/engine/fake_runs.ts";
import { openPeerModel } from "./peer_model.ts";
import { options, report, timed } from "./rows.ts";

export async function main(args: readonly string[]): Promise<void> {
  const { model: folders, steps, threads } = options(args, { steps: "8", threads: "2" });
  for (const folder of folders) {
    const { policy, head } = await openPeerModel(folder, { threads: Number(threads), spinning: false });
    const optimizer = new PolicyOptimizer(policy), run = Deno.makeTempDirSync();
    await optimizer.begin("bench");
    try {
      let bytes = 0;
      const saved = await timed(Number(steps), async (step) => {
        const resources = new Map([["policy", policy.save()], ["optimizer", await optimizer.save()]]);
        bytes = 0;
        for (const { arrays } of resources.values()) for (const { data } of arrays.values()) bytes += data.byteLength;
        const tables = new RunTables("all");
        const content = { trainStep: step, update: 0, best: null, state: {}, tables, resources, record: RECORD };
        writeCheckpoint(run, `${step}.0`, content);
      });
      const block = new Uint8Array(bytes).fill(1);
      const raw = await timed(Number(steps), (step) => {
        using file = Deno.openSync(`${run}/raw${step}`, { write: true, create: true });
        for (let at = 0; at < bytes;) at += file.writeSync(block.subarray(at));
        file.syncSync();
      });
      report({ bench: "checkpoint", ...head, new_tokens: 0, bytes }, saved);
      report({ bench: "checkpoint_raw", ...head, new_tokens: 0, bytes }, raw);
    } finally {
      Deno.removeSync(run, { recursive: true });
      policy.release();
    }
  }
}

if (import.meta.main) await main(Deno.args);
