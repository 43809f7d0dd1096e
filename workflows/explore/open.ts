/** Opens runs by what a person calls them: an id, `last`, a folder, another system's log. @module */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRun } from "../../data/adapters/read_run.ts";
import { isFile, isFolder } from "../../data/file_system.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { missingText } from "../../data/segment_digests.ts";
import { checkpointNames } from "../store/retention.ts";
import { resumeCommand } from "../terminal/command_line.ts";
import { runsFolder, shownPath } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { findRun, runIds } from "./find_run.ts";
import { Run } from "./run.ts";
import { earlierWithRows, hasRows } from "./run_with_rows.ts";

/**
 * Opens a run: of ours by its folder, its id, the unique beginning or end of one, or `last`, the newest one; of another
 * system by the file or folder of its log. Paths are relative to the program's folder, a notebook's to its own. Of a newest
 * run without rows it is told, and of the one before it.
 * Throws UsageError where there is none, RangeError for what holds several or no rows, SyntaxError for a damaged one.
 */
export async function openRun(run: string, runs?: string): Promise<Run> {
  const opened = await openOne(run, runs);
  if (run === "last") tellOfNone(opened);
  return opened;
}

/** The same, silent about a run without rows: for who waits for them. */
export async function openOne(run: string, runs?: string): Promise<Run> {
  const opened = await openRuns(run, runs);
  if (opened.length === 1 && !isEmpty(opened[0]!)) return opened[0]!;
  if (opened.length <= 1) {
    throw new RangeError(
      `Cannot open "${run}" as a run: it holds no rows that we read; want a run's folder, or the log or output folder of ` +
        "another system",
    );
  }
  const ids = opened.flatMap(({ manifest }) => manifest?.id ?? []);
  throw new RangeError(
    `Cannot open "${run}" as one run: it holds ${opened.length}; ${
      ids.length === 0 ? "" : `open one by its folder: ${ids.slice(-3).map((id) => join(run, id)).join(", ")}; or `
    }take one of (await openRuns("${run}"))`,
  );
}

/** Every run that a path holds: a log that was started again holds several, as does the folder of all runs. */
export async function openRuns(run: string, runs?: string): Promise<Run[]> {
  if (typeof run !== "string" || run === "") {
    throw new UsageError(`Cannot open run ${JSON.stringify(run)}: want its folder, its id, "last", or another's log`);
  }
  const path = resolve(run); // as a program's own files are: not where a task was called
  if (!existsSync(path)) return [ofFolder(found(run, path, runsFolder(runs)))];
  if (isFile(join(path, RUN_FILES.manifest))) return [ofFolder(path)];
  if (basename(path) === RUN_FILES.manifest && isFolder(join(dirname(path), RUN_FILES.tables))) {
    return [ofFolder(dirname(path))];
  }
  const ids = isFolder(path) ? runIds(path) : [];
  return ids.length > 0 ? ids.map((id) => ofFolder(join(path, id))) : (await readRun([path])).map(Run.ofLog);
}

/** The folder of a run in the folder of runs; what looks like a path is none, and is told of as one. */
function found(typed: string, path: string, runs: string): string {
  if (/[\\/]|\.\w+$/.test(typed)) {
    throw new UsageError(
      `Cannot open "${typed}": there is no file or folder ${path}; a path is relative to ${Deno.cwd()}, a run of ours ` +
        `also has an id in ${shownPath(runs)}`,
    );
  }
  return findRun(typed, runs);
}

/** Of `last` that has just begun, or has failed before its first row. */
function tellOfNone({ path, manifest, status }: Run): void {
  if (manifest === null || hasRows(path)) return;
  const before = earlierWithRows(path), then = before === null ? "" : `; the run before it: openRun("${before}")`;
  console.warn(`Opened ${manifest.id}, the newest run: it has no rows${status === "running" ? " yet" : ""}${then}`);
}

/** Says which rows are lost. Throws what `openRunFolder` throws, and how the run is put back where it has a checkpoint. */
function ofFolder(path: string): Run {
  try {
    const folder = openRunFolder(path);
    for (const gone of folder.missing()) console.warn(missingText(join(path, gone)));
    return Run.ofFolder(folder);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    const advice = checkpointNames(path).length > 0
      ? `put it back from its newest checkpoint: ${resumeCommand(path)}`
      : "move run.json away to read what its tables hold";
    throw new (error instanceof RangeError ? RangeError : SyntaxError)(`${error.message}; ${advice}`, { cause: error });
  }
}

/** A log of which nothing was recognised: no metric, no setting, no message, no completion. */
function isEmpty(run: Run): boolean {
  if (run.manifest !== null) return false;
  return (["metrics", "settings", "messages", "completions"] as const).every((name) => run.table(name).numRows() === 0);
}

/** Our run in a folder as far as it can be read: `lost` of it says what cannot. */
export function readableRun(folder: string): Run {
  const lost: string[] = [];
  const told = (text: string) => {
    const short = text.replace(`${folder}/`, "");
    if (!lost.includes(short)) lost.push(short);
  };
  return Run.ofFolder(openRunFolder(folder, told), lost);
}
