/**
 * Makes a run of its own that continues from a checkpoint of another: same rows, same state, nothing recomputed.
 *
 * A fork lies beside its parent as `runs/<parent>.r<number><a|b>`, so that every command reads it like any run; `parent`,
 * `root` and `repair` in its run.json say where it comes from. Checkpoint and segments never change, so they are linked,
 * not copied, where the file system allows it.
 * @module
 */
import { dirname, join } from "node:path";
import { type TableName, TABLES } from "../../data/columns.ts";
import { isThere, listFolder } from "../../data/file_system.ts";
import { IMAGES } from "../../data/images/image_store.ts";
import { parseCheckpoint, RUN_FILES } from "../../data/run_folder.ts";
import type { Plan } from "../plan/plan.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../../data/digest.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { checkpointNames, problemOf } from "../store/retention.ts";
import { WHOLE_TABLES } from "../store/run_tables.ts";
import { segmentsOf } from "../store/segments.ts";
import { makeFolder, removeIfThere, writeFileAtomic } from "../store/write_file.ts";
import type { ForkPoint } from "./record.ts";

/** The newest checkpoint before a train step that verifies; null when there is none. */
export function checkpointBefore(folder: string, trainStep: number): ForkPoint | null {
  for (const name of checkpointNames(folder).reverse()) {
    const at = parseCheckpoint(name)!.trainStep;
    if (at >= trainStep || problemOf(folder, name) !== null) continue;
    const manifest = Deno.readFileSync(join(folder, RUN_FILES.checkpoints, name, RUN_FILES.checkpointManifest));
    return { checkpoint: name, trainStep: at, sha256: sha256(manifest) };
  }
  return null;
}

/** Makes the fork's folder; a resume of it continues from the checkpoint. A folder of that name is replaced. */
export function forkRun(
  parent: string,
  { checkpoint, trainStep }: ForkPoint,
  fork: string,
  id: string,
  plan: Plan,
): void {
  removeIfThere(fork);
  const from = join(parent, RUN_FILES.checkpoints, checkpoint), to = join(fork, RUN_FILES.checkpoints, checkpoint);
  makeFolder(to);
  for (const file of listFolder(from)) linkOrCopy(join(from, file), join(to, file));
  for (const table of Object.keys(TABLES) as TableName[]) {
    if (WHOLE_TABLES.has(table)) continue;
    for (const { path, first } of segmentsOf(parent, table)) {
      // Later rows of a segment that reaches further are cut away when the fork resumes.
      if (first >= trainStep) continue;
      makeFolder(dirname(join(fork, path)));
      linkOrCopy(join(parent, path), join(fork, path));
    }
  }
  // Images go by their content: what is here stays as it is.
  const images = join(parent, IMAGES);
  if (isThere(images)) {
    makeFolder(join(fork, IMAGES));
    for (const file of listFolder(images)) linkOrCopy(join(images, file), join(fork, IMAGES, file));
  }
  // Appended to by either run: a copy.
  if (isThere(join(parent, RUN_FILES.segments))) {
    Deno.copyFileSync(join(parent, RUN_FILES.segments), join(fork, RUN_FILES.segments));
  }
  writeFileAtomic(join(fork, RUN_FILES.workflow), new TextEncoder().encode(stringifyPlan(plan)));
  const { finished: _, reason: __, findings: ___, ...manifest } = readManifest(parent);
  writeManifest(fork, { ...manifest, id, status: "interrupted", train_step: trainStep, checkpoint });
}

function linkOrCopy(from: string, to: string): void {
  try {
    Deno.linkSync(from, to);
  } catch {
    Deno.copyFileSync(from, to); // no hard links here
  }
}
