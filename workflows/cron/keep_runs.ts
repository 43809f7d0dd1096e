/** Removes old scheduled runs of a workflow: `keep_runs`. @module */
import { join } from "node:path";
import { isLive } from "../explore/find_run.ts";
import { newestModel } from "../explore/newest_model.ts";
import { scheduledRuns, type Whose } from "./history.ts";

/**
 * Keeps the last `keep` scheduled runs and, of the older ones, those that a process works on and the newest with a model:
 * `run:last` of the next run reads it. Returns the ids that went.
 */
export function removeOldRuns(runs: string, whose: Whose, keep: number): string[] {
  const old = scheduledRuns(runs, whose).map(({ id }) => id).slice(0, -keep);
  const needed = newestModel(runs, whose.name);
  const gone = old.filter((id) => id !== needed && !isLive(join(runs, id)));
  for (const id of gone) Deno.removeSync(join(runs, id), { recursive: true });
  return gone;
}
