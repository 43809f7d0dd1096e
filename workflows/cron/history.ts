/** The scheduled runs of a workflow so far, as their manifests tell. @module */
import { dirname, join } from "node:path";
import type { RunManifest } from "../../data/run_folder.ts";
import { runIds } from "../explore/find_run.ts";
import { readManifest } from "../store/manifest.ts";

/** Which workflow is meant: two files may have one name. */
export interface Whose {
  readonly name: string;
  /** Absolute path of the workflow file. */
  readonly file: string;
}

/** Manifests of the scheduled runs of a workflow, oldest first. One that cannot be read is left out: it decides nothing. */
export function scheduledRuns(runs: string, { name, file }: Whose): RunManifest[] {
  return runIds(runs).flatMap((id) => {
    try {
      return [readManifest(join(runs, id))];
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return [];
    }
  }).filter((run) => run.trigger === "schedule" && run.name === name && run.workflow_folder === dirname(file));
}
