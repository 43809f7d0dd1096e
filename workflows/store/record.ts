/**
 * Puts back a run's manifest and workflow from its newest checkpoint where the run's own are damaged or gone.
 * @module
 */
import { basename, join } from "node:path";
import { orElse } from "../../data/file_system.ts";
import { RUN_FILES, RUN_MANIFEST, type RunManifest } from "../../data/run_folder.ts";
import type { RunRecord } from "./checkpoint.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import { newestCheckpoint } from "./retention.ts";
import { SetAside } from "./set_aside.ts";
import { isReadable, writeFileAtomic } from "./write_file.ts";

/** What the newest checkpoint that verifies says of its run, or null. */
function recordOf(folder: string): { readonly name: string; readonly record: RunRecord } | null {
  const { name, loaded } = newestCheckpoint(folder);
  return name === null || loaded === null ? null : { name, record: loaded.record };
}

/** The manifest of a run; of one that cannot be read that of its newest checkpoint, or null. */
export function recordedManifest(folder: string): RunManifest | null {
  return orElse(() => readManifest(folder), null) ??
    orElse(() => RUN_MANIFEST.parse(recordOf(folder)?.record.manifest), null);
}

/**
 * Restores run.json when it cannot be read; the damaged one is moved aside. Returns what was done, one line each.
 * Throws why it cannot be read when no checkpoint has it either. Hold the run's lock.
 */
export function mendManifest(folder: string): string[] {
  try {
    readManifest(folder);
    return [];
  } catch (error) {
    const found = recordOf(folder);
    if (found === null) throw error;
    const to = new SetAside(folder).move(RUN_FILES.manifest);
    writeManifest(folder, { ...found.record.manifest, id: basename(folder), checkpoint: found.name });
    return [restored(RUN_FILES.manifest, found.name, to)];
  }
}

/** Moves an event log that cannot be read aside: the run goes on with a new one. Returns what was done. */
export function mendEvents(folder: string): string[] {
  if (isReadable(join(folder, RUN_FILES.events))) return [];
  return [`${RUN_FILES.events} cannot be read and is moved to ${new SetAside(folder).move(RUN_FILES.events)}`];
}

/**
 * Restores workflow.yaml from the newest checkpoint, unless it is the same text. Returns what was done, or null when
 * there was nothing to restore. Hold the run's lock.
 */
export function mendWorkflow(folder: string): string | null {
  const found = recordOf(folder), path = join(folder, RUN_FILES.workflow);
  const text = orElse(() => withoutHead(Deno.readTextFileSync(path)), null);
  if (found === null || text === withoutHead(found.record.workflow)) return null;
  const to = new SetAside(folder).move(RUN_FILES.workflow);
  writeFileAtomic(path, new TextEncoder().encode(found.record.workflow));
  return restored(RUN_FILES.workflow, found.name, to);
}

function restored(file: string, checkpoint: string, to: string | null): string {
  const was = to === null ? "it was missing" : `it could not be used and is moved to ${to}`;
  return `${file} is restored from checkpoint ${checkpoint}: ${was}`;
}

/** Without the comment that says where it comes from: a resume writes another. */
const withoutHead = (text: string) => text.replace(/^#[^\n]*\n/, "");
