/**
 * Makes a run of its own that continues from a checkpoint of another: same rows, same state, nothing recomputed.
 *
 * A fork lies beside its parent as `runs/<parent>.r<number><a|b>`, so that every command reads it like any run; `parent`,
 * `root` and `repair` in its run.json say where it comes from. Checkpoint and segments never change, so they are linked,
 * not copied, where the file system allows it.
 * @module
 */
import { dirname, join } from "node:path";
import { parseCheckpoint, RUN_FILES } from "../../data/run_folder.ts";
import type { Plan } from "../plan.ts";
import { stringifyPlan } from "../resolved.ts";
import { readCheckpoint } from "../store/checkpoint.ts";
import { sha256 } from "../store/digest.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { checkpointNames } from "../store/retention.ts";
import { listFolder, makeFolder, removeIfThere, writeFileAtomic } from "../store/write_file.ts";

/** A checkpoint to start from. */
export interface ForkPoint {
  readonly checkpoint: string;
  readonly trainStep: number;
  /** sha256 of its manifest, which holds the sha256 of every file. */
  readonly sha256: string;
}

/** The newest checkpoint before a train step that verifies; null when there is none. */
export function checkpointBefore(folder: string, trainStep: number): ForkPoint | null {
  for (const name of checkpointNames(folder).reverse()) {
    const at = parseCheckpoint(name)!.trainStep;
    if (at >= trainStep || !isWhole(folder, name)) continue;
    const manifest = Deno.readFileSync(join(folder, RUN_FILES.checkpoints, name, RUN_FILES.checkpointManifest));
    return { checkpoint: name, trainStep: at, sha256: sha256(manifest) };
  }
  return null;
}

function isWhole(folder: string, name: string): boolean {
  try {
    return readCheckpoint(folder, name) !== null;
  } catch {
    return false; // a damaged one is passed over, as a resume does
  }
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
  const { segments } = readCheckpoint(parent, checkpoint).manifest;
  for (const { path } of segments) {
    makeFolder(dirname(join(fork, path)));
    // Completions that are no longer kept are gone on purpose.
    if (exists(join(parent, path))) linkOrCopy(join(parent, path), join(fork, path));
  }
  writeFileAtomic(join(fork, RUN_FILES.workflow), new TextEncoder().encode(stringifyPlan(plan)));
  const { finished: _, reason: __, findings: ___, ...manifest } = readManifest(parent);
  writeManifest(fork, { ...manifest, id, status: "interrupted", train_step: trainStep });
}

function linkOrCopy(from: string, to: string): void {
  try {
    Deno.linkSync(from, to);
  } catch {
    Deno.copyFileSync(from, to); // no hard links here
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
