/** Finds a run by what a person calls it. @module */
import { join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import * as fileSystem from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { anySegment } from "../../data/stored_tables.ts";
import { resumeCommand } from "../terminal/command_line.ts";
import { checkpointNames } from "../store/retention.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";

/** Ids of all runs in a folder, oldest first. Folders whose name begins with a dot are not runs. */
export function runIds(runs: string): string[] {
  try {
    return [...Deno.readDirSync(runs)]
      .filter(({ isDirectory, name }) =>
        isDirectory && !name.startsWith(".") && isFile(join(runs, name, RUN_FILES.manifest))
      )
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) {
      throw new UsageError(`Cannot read the runs in "${shownPath(runs)}": it is a file; want --runs DIR`);
    }
    throw error;
  }
}

/** Ids of runs whose manifest is gone and whose checkpoints or tables are not: a resume puts it back, a page shows the rest. */
function withoutManifest(runs: string): string[] {
  return fileSystem.listFolder(runs).filter((name) => {
    if (name.startsWith(".") || isFile(join(runs, name, RUN_FILES.manifest))) return false;
    const hasCheckpoints = isFolder(join(runs, name, RUN_FILES.checkpoints)) &&
      checkpointNames(join(runs, name)).length;
    return hasCheckpoints || isRunFolder(join(runs, name));
  });
}

/** Letters of an id by which a run may be called: one or two are a slip of the finger, and runs can be removed. */
const FEWEST = 3;

/** The folder of a run: its id, a unique beginning or end of it, `last`, or a path. Throws a UsageError that lists runs. */
export function findRun(typed: string, runs: string): string {
  const path = pathArgument(typed);
  if (isRunFolder(path)) return path;
  const ids = [...runIds(runs), ...withoutManifest(runs)].sort();
  if (typed === "last" && ids.length) return join(runs, ids.at(-1)!);
  const matching = ids.includes(typed)
    ? [typed]
    : ids.filter((id) => typed.length >= FEWEST && (id.startsWith(typed) || id.endsWith(typed)));
  if (matching.length === 1) return join(runs, matching[0]!);
  const list = (matching.length ? matching : ids).slice(-5).join(", ");
  throw new UsageError(
    `Cannot find run "${typed}": ${
      matching.length ? `${matching.length} runs match` : `${shownPath(runs)} has no such run`
    }; ${list ? `runs: ${list}` : "there is no run yet"}`,
  );
}

/** The run a person named, opened for reading. */
export function openTypedRun(typed: string, runs: string): RunFolder {
  const folder = findRun(typed, runs);
  try {
    return openRunFolder(folder);
  } catch (error) {
    if (!(error instanceof Error) || checkpointNames(folder).length === 0) throw error;
    throw new UsageError(`${error.message}; put it back from its newest checkpoint: ${resumeCommand(folder)}`);
  }
}

/** False as well for what the system does not tell of: a run is then known by its checkpoints. */
const isFile = (path: string) => fileSystem.orElse(() => fileSystem.isFile(path), false);
const isFolder = (path: string) => fileSystem.orElse(() => fileSystem.isFolder(path), false);

/** Whether a run lies in a folder: its manifest, or a table where that is gone. */
export function isRunFolder(path: string): boolean {
  return isFile(join(path, RUN_FILES.manifest)) || fileSystem.orElse(() => anySegment(path) !== null, false);
}

/** Whether a live process holds the lock of the run. */
export function isLive(folder: string): boolean {
  if (!isFile(join(folder, RUN_FILES.lock))) return false;
  using file = Deno.openSync(join(folder, RUN_FILES.lock), { read: true });
  if (!file.tryLockSync(false)) return true;
  file.unlockSync();
  return false;
}

/** The status a person reads: a run that claims to be running and has no process was killed. */
export function shownStatus({ path, manifest }: RunFolder): string {
  return manifest.status === "running" && !isLive(path) ? "killed" : manifest.status;
}

/** Bytes of all files below a folder, as far as the system lets us look. */
export function folderSize(folder: string): number {
  let sum = 0;
  for (const entry of fileSystem.orElse(() => [...Deno.readDirSync(folder)], [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) sum += folderSize(path);
    else if (entry.isFile) sum += fileSystem.orElse(() => Deno.statSync(path).size, 0);
  }
  return sum;
}
