/** Which checkpoints stay: the last `keep` and the best one; and what becomes of those that a crash cut. @module */
import { join } from "node:path";
import { parseCheckpoint, RUN_FILES, TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { listFolder, orElse } from "../../data/file_system.ts";
import { type LoadedCheckpoint, OLD_PREFIX, readCheckpoint, readCheckpointManifest } from "./checkpoint.ts";
import { SetAside } from "./set_aside.ts";
import { reasonOf, removeIfThere, writing } from "./write_file.ts";

/** Names of the checkpoints of a run, oldest first. */
export function checkpointNames(folder: string): string[] {
  const place = (name: string) => parseCheckpoint(name)!;
  return listFolder(join(folder, RUN_FILES.checkpoints)).filter((name) => parseCheckpoint(name) !== null)
    .sort((a, b) => place(a).trainStep - place(b).trainStep || place(a).update - place(b).update);
}

/** The checkpoint with the highest value of `checkpoint.best`; the later one of equals; null when none was measured. */
export function bestCheckpoint(folder: string): string | null {
  let found: { name: string; value: number } | null = null;
  for (const name of checkpointNames(folder)) {
    const value = measured(folder, name);
    if (typeof value === "number" && (found === null || value >= found.value)) found = { name, value };
  }
  return found?.name ?? null;
}

/** Undefined for a checkpoint that cannot be read: no candidate; resume reports it when it meets it. */
function measured(folder: string, name: string): number | null | undefined {
  return orElse(() => readCheckpointManifest(folder, name).best, undefined);
}

/**
 * Deletes checkpoints beyond the last `keep`, except the best, `current`, `pinned` and those that cannot be read: one of
 * them may be the best. Call it after a commit only.
 */
export function retain(folder: string, keep: number, current: string, pinned: string | null = null): void {
  const names = checkpointNames(folder);
  const best = bestCheckpoint(folder);
  for (const name of names.slice(0, Math.max(0, names.length - Math.max(1, keep)))) {
    if (name === best || name === current || name === pinned || measured(folder, name) === undefined) continue;
    removeCheckpoint(folder, name);
  }
}

/** Deletes one checkpoint: it loses its name first, so that half a deletion is no damaged checkpoint. */
function removeCheckpoint(folder: string, name: string): void {
  const root = join(folder, RUN_FILES.checkpoints), going = join(root, `${TEMPORARY_PREFIX}${name}`);
  removeIfThere(going);
  Deno.renameSync(join(root, name), going);
  removeIfThere(going);
}

/** A checkpoint that was passed over, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** The newest checkpoint that verifies, with those that do not. */
export function newestCheckpoint(
  folder: string,
): { readonly name: string | null; readonly loaded: LoadedCheckpoint | null; readonly skipped: readonly Skipped[] } {
  const skipped: Skipped[] = [];
  for (const name of checkpointNames(folder).reverse()) {
    try {
      return { name, loaded: readCheckpoint(folder, name), skipped };
    } catch (error) {
      skipped.push({ name, reason: reasonOf(error) });
    }
  }
  return { name: null, loaded: null, skipped };
}

/**
 * Removes what crashed saves left, and puts back a checkpoint whose replacement did not arrive whole. Returns what a
 * person should hear of it.
 */
export function cleanCheckpoints(folder: string): string[] {
  const root = join(folder, RUN_FILES.checkpoints), notes: string[] = [];
  const names = listFolder(root);
  for (const name of names) {
    if (name.startsWith(TEMPORARY_PREFIX)) removeIfThere(join(root, name));
    if (!name.startsWith(OLD_PREFIX)) continue;
    const final = name.slice(OLD_PREFIX.length), problem = names.includes(final) ? problemOf(folder, final) : "";
    if (problem === null) {
      removeIfThere(join(root, name));
      continue;
    }
    if (problem !== "") {
      const to = new SetAside(folder).move(join(RUN_FILES.checkpoints, final));
      notes.push(`Checkpoint ${final}: ${problem}; it is moved to ${to}, the one it replaced is put back`);
    }
    writing(join(root, final), 0, () => Deno.renameSync(join(root, name), join(root, final)));
  }
  return notes;
}

/** Why a checkpoint cannot be read; null for a whole one. */
export function problemOf(folder: string, name: string): string | null {
  try {
    readCheckpoint(folder, name);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
