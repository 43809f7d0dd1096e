/** Reads another system's runs: files, folders, patterns, standard input. @module */
import { dirname } from "node:path";
import type { Source } from "./adapter.ts";
import { areSeveralPosts, type OnSource, readSources } from "./read_sources.ts";
import { finish } from "./run/finish.ts";
import type { ImportedRun } from "./run/imported_run.ts";
import { Intake } from "./intake/intake.ts";
import { expandPattern, isPattern, openFile, openStream, walkFolder } from "./source/walk.ts";

export interface ReadOptions {
  /** What `-` reads; Deno.stdin.readable by default. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Called after each file, for progress. */
  readonly onSource?: OnSource;
}

/**
 * Reads other systems' runs, and ours: `-` is standard input, `*` and `?` are expanded. One run per path (a folder is one
 * run, and so is a log with the files of completions given beside it), more where a log restarts. A post is always a run of
 * its own, in a folder of posts too.
 *
 * Throws Deno.errors.NotFound for a path that is not there. Everything else that is wrong with a file is in `sources`
 * (`partial`) and `skipped` of its run.
 */
export async function readRun(paths: readonly string[], options: ReadOptions = {}): Promise<ImportedRun[]> {
  const all = await expand(paths), read: Given[] = [];
  for (const path of all) {
    const intake = new Intake();
    const isFile = await readPath(path, intake, options);
    if (!isFile && areSeveralPosts(intake)) read.push(...await eachPost(intake));
    else read.push({ path, intake, isFile });
  }
  const hosts = hostsOf(read), runs: ImportedRun[] = [];
  for (const given of read) {
    const joined = read.filter((other) => hosts.get(other) === given);
    if (hosts.has(given)) continue;
    let { intake } = given;
    if (joined.length > 0) {
      intake = new Intake();
      await readSources(opened([given, ...joined].map(({ path }) => ({ file: path, path }))), intake);
      for (const { path } of joined) intake.leave(path, `its completions are read as those of ${given.path}`);
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

/** The posts of a folder, each read by itself. */
async function eachPost({ sources }: Intake): Promise<Given[]> {
  return await Promise.all(sources.map(async ({ path }) => {
    const intake = new Intake();
    await readSources([await openFile(path, path)], intake, { alone: true });
    return { path, intake, isFile: true };
  }));
}

/** Files that hold completions alone, with the one log that they can be of: that of their folder, or the only one. */
function hostsOf(read: readonly Given[]): Map<Given, Given> {
  const files = read.filter(({ isFile, intake }) => isFile && !isPost(intake)),
    logs = files.filter(({ intake }) => hasRecords(intake));
  const hosts = new Map<Given, Given>();
  for (const given of files) {
    if (given.intake.completions.length === 0 || hasRecords(given.intake)) continue;
    const beside = logs.filter(({ path }) => dirname(path) === dirname(given.path));
    const [host, ...others] = beside.length > 0 ? beside : logs;
    if (host !== undefined && others.length === 0) hosts.set(given, host);
  }
  return hosts;
}

const isPost = ({ sources }: Intake) => sources.some(({ format }) => format === "post");
const hasRecords = ({ records }: Intake) => records.segments.some(({ weak, train }) => !weak && train.rows > 0);

/** Reads what lies at a path, true of a plain file. */
async function readPath(path: string, intake: Intake, { stdin, onSource }: ReadOptions): Promise<boolean> {
  const take = (source: Source) => readSources([source], intake, { alone: true, onSource });
  if (path === "-") {
    await take(await openStream(stdin ?? Deno.stdin.readable, "-"));
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
    await readSources(opened(walk.files), intake, { onSource });
    for (const { path: shown, reason } of walk.left) intake.leave(shown, reason);
    if (walk.files.length === 0) intake.leave(path, "a folder without a file that a doctor reads");
  } else if (stat.isFile) await take(await openFile(path, path));
  else await take(await openStream((await Deno.open(path)).readable, path)); // a pipe: <(grep …)
  return stat.isFile;
}

/** Files, each opened when those before it are read. */
async function* opened(files: readonly { readonly file: string; readonly path: string }[]): AsyncGenerator<Source> {
  for (const { file, path } of files) yield await openFile(file, path);
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
