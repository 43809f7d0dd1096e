/** Reads another system's runs: files, folders, patterns, standard input. @module */
import { dirname } from "node:path";
import type { Source } from "./adapter.ts";
import { ADAPTERS } from "./mod.ts";
import { finish } from "./run/finish.ts";
import type { ImportedRun } from "./run/imported_run.ts";
import { Intake } from "./intake/intake.ts";
import { headText } from "./source/text.ts";
import { expandPattern, isPattern, openFile, openStream, walkFolder } from "./source/walk.ts";

export interface ReadOptions {
  /** What `-` reads; Deno.stdin.readable by default. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Called after each file, for progress. */
  readonly onSource?: (path: string, bytes: number) => void;
}

/** Reads one source with the surest adapter; a file that cannot be read becomes a line of the report. */
export async function readSource(source: Source, intake: Intake, alone: boolean): Promise<void> {
  const text = headText(source.head);
  let best: keyof typeof ADAPTERS | null = null, score = 0;
  for (const name of Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[]) {
    const sure = ADAPTERS[name].sniff(source, text);
    if (sure > score) [best, score] = [name, sure];
  }
  const size = Number.isNaN(source.size) ? source.head.length : source.size;
  const record = intake.openSource(source.path, best ?? "unknown", size);
  if (best === null && source.head.length > 0) {
    record.partial = "it is binary and of no known format";
    if (alone) intake.skip(null, "a binary file of no known format");
    return;
  }
  try {
    if (source.head.length > 0) await ADAPTERS[best!].read(source, intake);
    else {
      for await (const _ of source.chunks()) break; // throws what is wrong with it
      record.partial = "it is empty";
    }
  } catch (error) {
    // A broken file must not hide the others of its folder: what was read stays, the reason goes into the report.
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError)) throw error;
    record.partial = error.message;
    intake.skip(null, error.message);
  }
  if (Number.isNaN(source.size)) record.bytes = record.bytes_read;
  if (record.bytes_read === 0) record.bytes_read = record.partial === null ? size : 0;
}

/**
 * Reads other systems' runs, and ours: `-` is standard input, `*` and `?` are expanded. One run per path (a folder is one
 * run, and so is a log with the files of completions given beside it), more where a log restarts.
 *
 * Throws Deno.errors.NotFound for a path that is not there. Everything else that is wrong with a file is in `sources`
 * (`partial`) and `skipped` of its run.
 */
export async function readRun(paths: readonly string[], options: ReadOptions = {}): Promise<ImportedRun[]> {
  const all = await expand(paths), read: Given[] = [];
  for (const path of all) {
    const intake = new Intake();
    read.push({ path, intake, isFile: await readPath(path, intake, options) });
  }
  const hosts = hostsOf(read), runs: ImportedRun[] = [];
  for (const given of read) {
    const joined = read.filter((other) => hosts.get(other) === given);
    if (hosts.has(given)) continue;
    let { intake } = given;
    if (joined.length > 0) {
      intake = new Intake();
      for (const { path } of [given, ...joined]) await readSource(await openFile(path, path), intake, false);
    }
    runs.push(...finish(given.path, intake));
  }
  return runs;
}

interface Given {
  readonly path: string;
  readonly intake: Intake;
  /** One that can be read a second time. */
  readonly isFile: boolean;
}

/** Files that hold completions alone, with the one log that they can be of: that of their folder, or the only one. */
function hostsOf(read: readonly Given[]): Map<Given, Given> {
  const files = read.filter(({ isFile }) => isFile), logs = files.filter(({ intake }) => hasRecords(intake));
  const hosts = new Map<Given, Given>();
  for (const given of files) {
    if (given.intake.completions.length === 0 || hasRecords(given.intake)) continue;
    const beside = logs.filter(({ path }) => dirname(path) === dirname(given.path));
    const [host, ...others] = beside.length > 0 ? beside : logs;
    if (host !== undefined && others.length === 0) hosts.set(given, host);
  }
  return hosts;
}

const hasRecords = ({ records }: Intake) => records.segments.some(({ weak, train }) => !weak && train.rows > 0);

/** Reads what lies at a path, true of a plain file. */
async function readPath(path: string, intake: Intake, options: ReadOptions): Promise<boolean> {
  const take = async (source: Source, alone: boolean) => {
    await readSource(source, intake, alone);
    options.onSource?.(source.path, intake.source.bytes_read);
  };
  if (path === "-") {
    await take(await openStream(options.stdin ?? Deno.stdin.readable, "-"), true);
    return false;
  }
  const stat = await Deno.stat(path).catch((cause: unknown) => {
    if (cause instanceof Deno.errors.NotFound) {
      throw new Deno.errors.NotFound(`Cannot read "${path}": there is no such file or folder`, { cause });
    }
    if (/symbolic link|ELOOP|os error 40/i.test(String(cause))) {
      throw new Deno.errors.FilesystemLoop(`Cannot read "${path}": it is a link in a circle`, { cause });
    }
    throw cause;
  });
  if (stat.isDirectory) {
    const walk = await walkFolder(path);
    for (const { file, path: shown } of walk.files) await take(await openFile(file, shown), false);
    for (const { path: shown, reason } of walk.left) intake.leave(shown, reason);
    if (walk.files.length === 0) intake.leave(path, "a folder without a file that a doctor reads");
  } else if (stat.isFile) await take(await openFile(path, path), true);
  else await take(await openStream((await Deno.open(path)).readable, path), true); // a pipe: <(grep …)
  return stat.isFile;
}

async function expand(paths: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const path of paths) {
    const there = path === "-" || !isPattern(path) || await Deno.stat(path).then(() => true, () => false);
    if (there) all.push(path);
    else {
      const found = await expandPattern(path);
      if (found.length === 0) throw new Deno.errors.NotFound(`Cannot read "${path}": nothing matches the pattern`);
      all.push(...found);
    }
  }
  return all;
}
