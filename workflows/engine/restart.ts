/**
 * Where a resumed run goes on, and whether it is the same run.
 *
 * Whatever stands in the way, a checkpoint or a table that cannot be read, is moved aside and told, never removed; when no
 * checkpoint can be read the run does not begin again by itself.
 * @module
 */
import { join } from "node:path";
import { RUN_FILES, type RunManifest } from "../../data/run_folder.ts";
import { isThere, listFolder } from "../../data/file_system.ts";
import { configHash, type LoadedCheckpoint } from "../store/checkpoint.ts";
import { readManifest } from "../store/manifest.ts";
import { mendEvents, mendManifest } from "../store/record.ts";
import { checkpointNames, cleanCheckpoints, newestCheckpoint, type Skipped } from "../store/retention.ts";
import { SetAside } from "../store/set_aside.ts";
import { differences, DriftError, type Identity } from "./identity.ts";
import type { Cursor, RunState } from "./run_state.ts";

/** A run has checkpoints and none can be read; the command line exits 2. */
export class NoCheckpointError extends Error {
  override readonly name = "NoCheckpointError";
  constructor(folder: string, run: string, skipped: readonly Skipped[]) {
    const what = skipped.length === 0
      ? `its checkpoints are gone from ${join(folder, RUN_FILES.checkpoints)}`
      : `no checkpoint can be read: ${skipped.map(({ name, reason }) => `${name}: ${reason}`).join("; ")}`;
    super(
      `Cannot resume run "${run}": ${what}; restore one, or pass --from-start to begin again (what is there is moved to ${RUN_FILES.setAside}/)`,
    );
  }
}

/** What a run goes on from; nothing has been changed yet. */
interface Restart {
  /** Null = from the beginning. */
  readonly checkpoint: { readonly name: string; readonly loaded: LoadedCheckpoint } | null;
  /** Newer checkpoints that cannot be read. */
  readonly skipped: readonly Skipped[];
  /** What was put in order before. */
  readonly notes: readonly string[];
}

/** Finds the newest checkpoint that verifies. Throws NoCheckpointError when there were checkpoints and none does. */
function findRestart(folder: string, run: string, earlier: RunManifest, fromStart: boolean): Restart {
  if (fromStart) return { checkpoint: null, skipped: [], notes: [] };
  const notes = cleanCheckpoints(folder);
  const { name, loaded, skipped } = newestCheckpoint(folder);
  if (name !== null && loaded !== null) return { checkpoint: { name, loaded }, skipped, notes };
  if (skipped.length > 0 || earlier.checkpoint !== null) throw new NoCheckpointError(folder, run, skipped);
  return { checkpoint: null, skipped, notes };
}

/** A run that is continued. */
export interface Resumed {
  /** run.json as it was left. */
  readonly manifest: RunManifest;
  readonly from: Restart;
  /** What differs from then, and was allowed to. */
  readonly drift: readonly string[];
  /** What was put in order to read it. */
  readonly mended: readonly string[];
}

/** Finds where a run goes on, under its lock. Throws NoCheckpointError, or DriftError for what was not allowed. */
export function findResumed(
  folder: string,
  run: string,
  identity: Identity,
  { fromStart = false, allowDrift = false }: { readonly fromStart?: boolean; readonly allowDrift?: boolean },
): Resumed {
  const mended = [...mendManifest(folder), ...mendEvents(folder)], manifest = readManifest(folder);
  const from = findRestart(folder, run, manifest, fromStart);
  const drift = driftOf(identity, manifest, from);
  if (drift.length > 0 && !allowDrift) throw new DriftError(run, drift, from.checkpoint?.name);
  return { manifest, from, drift, mended };
}

/**
 * Differences between the run that is planned and the one that was: none when the checkpoint was written under the same
 * identity, or when this run has already gone on from it under this one.
 */
function driftOf(identity: Identity, earlier: RunManifest, { checkpoint }: Restart): string[] {
  if (checkpoint !== null && checkpoint.loaded.manifest.config === configHash(identity)) return [];
  const drift = differences(identity, (earlier["identity"] ?? {}) as Identity);
  if (drift.length > 0 || checkpoint === null || earlier.resumed_from === checkpoint.name) return drift;
  return differences(identity, (checkpoint.loaded.record.manifest["identity"] ?? {}) as Identity);
}

/** Brings the run folder back to the checkpoint and loads it; null = from the beginning. */
export function restart(state: RunState, { checkpoint, skipped, notes }: Restart, fromStart: boolean): Cursor | null {
  const folder = state.folders.run, aside = new SetAside(folder);
  const move = (path: string) => aside.move(path) ?? path;
  for (const note of notes) state.message(note);
  for (const { name, reason } of skipped) {
    const to = move(join(RUN_FILES.checkpoints, name));
    state.message(`Checkpoint ${name} is passed over: ${reason}; it is moved to ${to}`);
  }
  if (checkpoint !== null) {
    const cursor = state.load(checkpoint.name, checkpoint.loaded, aside, skipped.length > 0);
    state.message(`Resumed from checkpoint ${checkpoint.name}`);
    return cursor;
  }
  state.message(`${fromStart ? "As asked" : "No checkpoint to resume from"}: the run starts from the beginning`);
  for (const path of [...checkpointNames(folder).map((name) => join(RUN_FILES.checkpoints, name)), ...tables(folder)]) {
    state.message(`${path} is moved to ${move(path)}`);
  }
  return null;
}

function tables(folder: string): string[] {
  const names = listFolder(join(folder, RUN_FILES.tables)).map((name) => join(RUN_FILES.tables, name));
  return [...names, RUN_FILES.segments].filter((path) => isThere(join(folder, path)));
}
