/**
 * Which checkpoints stay: the last `keep` and the best one.
 * @module
 */
import { join } from "node:path";
import { parseCheckpoint, RUN_FILES, TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { type LoadedCheckpoint, readCheckpoint, readCheckpointManifest } from "./checkpoint.ts";
import { listFolder, reasonOf, removeIfThere } from "./write_file.ts";

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
  try {
    return readCheckpointManifest(folder, name).best;
  } catch {
    return undefined;
  }
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
