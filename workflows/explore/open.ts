/** Opens runs by what a person calls them: an id, `last`, a folder, another system's log. @module */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readRun } from "../../data/adapters/read_run.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { isFile } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { findRun } from "./find_run.ts";
import { runsFolder } from "../terminal/paths.ts";
import { Run } from "./run.ts";

/**
 * Opens a run: of ours by its folder, its id, the unique beginning or end of one, or `last`; of another system by the file
 * or folder of its log. Throws UsageError where there is none, RangeError for a file that holds several.
 */
export async function openRun(run: string, runs?: string): Promise<Run> {
  const opened = await openRuns(run, runs);
  if (opened.length === 1) return opened[0]!;
  throw new RangeError(
    `Cannot open "${run}" as one run: ${
      opened.length
        ? `it holds ${opened.length}; take one of (await openRuns("${run}"))`
        : "it holds no rows that we read"
    }`,
  );
}

/** Every run that a path holds: a log that was started again holds several. */
export async function openRuns(run: string, runs?: string): Promise<Run[]> {
  const path = resolve(run); // as a program's own files are: not where a task was called
  if (!existsSync(path)) return [Run.ofFolder(openRunFolder(findRun(run, runsFolder(runs))))];
  return isFile(join(path, RUN_FILES.manifest))
    ? [Run.ofFolder(openRunFolder(path))]
    : (await readRun([path])).map(Run.ofLog);
}
