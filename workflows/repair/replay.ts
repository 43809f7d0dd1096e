/**
 * Makes a recorded repair again: the same forks from the same checkpoint, and what came out differently.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { RunOptions } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../store/digest.ts";
import { readManifest } from "../store/manifest.ts";
import { removeIfThere } from "../store/write_file.ts";
import { forkRun } from "./fork.ts";
import { editPlan } from "./patch_plan.ts";
import type { ForkRecord, RepairRecord } from "./record.ts";
import { runFork } from "./trial.ts";

const EDITS = z.array(z.object({
  path: z.array(z.union([z.string(), z.number()])),
  key: z.string(),
  to: z.union([z.number(), z.string(), z.boolean()]),
})).default([]);

/**
 * Runs the forks of a decision again, each up to where it was judged, and removes them.
 *
 * plan     the workflow of the run that was started
 * record   a decision for which forks were made
 * returns  one line per difference; none when everything came out the same
 *
 * Throws RangeError when checkpoint or workflow are not those of the record.
 */
export async function replayRepair(plan: Plan, record: RepairRecord, options: RunOptions): Promise<string[]> {
  const { checkpoint: point, plain, patched, number } = record;
  const fail = (what: string): never => {
    throw new RangeError(`Cannot replay repair ${number}: ${what}`);
  };
  if (point === null || plain === null) return fail(`it was ${record.decision}, so no fork was made`);
  const parent = join(options.runsFolder, record.run);
  const base = editPlan(plan, EDITS.parse(readManifest(parent).edits));
  const changed = editPlan(base, record.change);
  const hashes = { before: sha256(stringifyPlan(base)), after: sha256(stringifyPlan(changed)) };
  if (hashes.before !== record.workflow.before) fail("the workflow has changed since");
  if (patched !== null && hashes.after !== record.workflow.after) fail("the workflow with the change differs");
  const manifest = join(parent, RUN_FILES.checkpoints, point.checkpoint, RUN_FILES.checkpointManifest);
  if (sha256(Deno.readFileSync(manifest)) !== point.sha256) fail(`checkpoint ${point.checkpoint} is another one`);

  const differences: string[] = [];
  for (const [was, now, role] of [[plain, base, "plain"], [patched, changed, "patched"]] as const) {
    if (was === null) continue;
    const id = `${record.run}.replay_${role}`, folder = join(options.runsFolder, id);
    forkRun(parent, point, folder, id, now);
    const { record: again } = await runFork({
      plan: now,
      id,
      cause: record.cause,
      foundStep: record.found_step,
      judgeAt: point.trainStep + record.steps!,
      isWorse: () => true, // stops it where it is judged
      run: options,
    });
    removeIfThere(folder);
    differences.push(...differencesOf(role, was, again));
  }
  return differences;
}

function differencesOf(role: string, was: ForkRecord, now: ForkRecord): string[] {
  const lines: string[] = [];
  if (was.fired !== now.fired) lines.push(`${role}: the finding ${now.fired ? "came" : "did not come"} again`);
  if (was.train_step !== now.train_step) {
    lines.push(`${role}: judged at train step ${now.train_step}, was ${was.train_step}`);
  }
  const before = new Map(was.rewards);
  const other = now.rewards.find(([step, reward]) => before.has(step) && before.get(step) !== reward);
  if (other !== undefined) {
    lines.push(`${role}: reward ${other[1]} at train step ${other[0]}, was ${before.get(other[0])}`);
  }
  return lines;
}
