/** One real run of a tiny model for the tests of a file, and the folder it lies in. @module */
import { join } from "node:path";
import { runWorkflow } from "../../../workflows/entry.ts";
import type { RunResult } from "../../../workflows/engine/run_plan.ts";
import { TINY } from "./tiny.ts";

/** Runs TINY with two train steps below a temporary folder, hands the result over, and removes the folder. */
export async function withTinyRun(
  body: (result: RunResult, runs: string) => Promise<void>,
  edit: (workflow: string) => string = (text) => text,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "tiny.yaml"), runs = join(folder, "runs");
    await Deno.writeTextFile(file, edit(TINY));
    await body(await runWorkflow(file, { params: { train_steps: 2 }, runs }), runs);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
