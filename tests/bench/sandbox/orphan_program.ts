/** A program with a busy reward, for `bench sandbox` to kill: prints the process of the reward, then waits for it. @module */
import { Sandbox } from "../../../steps/rewards/sandbox/sandbox.ts";
import { rewardBatch } from "../../steps/rewards/batch.ts";

const limits = { timeoutMs: 600_000, memoryBytes: 2 ** 40, net: [] };
const sandbox = await Sandbox.start(Deno.args[0]!, limits, () => {}, {
  loadMs: 600_000,
  onSpawned: (pid) => console.log(pid),
});
await sandbox.ask({ batch: rewardBatch(["one"]), options: {} }, 1);
