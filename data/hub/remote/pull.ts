/** Fetches a repository of the Hub into huggingface_hub's cache, all of it or something that goes on later. @module */
import { statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { byteText } from "../../byte_text.ts";
import { ifThere, isFolder, textIfThere } from "../../file_system.ts";
import { replaceFile } from "../atomic_write.ts";
import { cachedSnapshot, isUnfinished, missingFiles, repositoryFolder, unfinishedMark } from "./cache.ts";
import { type HubEnvironment, hubEnvironment } from "./environment.ts";
import { listFiles, type RemoteFile, resolvedCommit } from "./listing.ts";
import { PullError } from "./refusal.ts";
import { isCommit, type Repository } from "./repository.ts";
import type { Client } from "./request.ts";
import { isDisk, storeFile } from "./store_file.ts";
import { masked, strangersText } from "./strangers_text.ts";
import { OPTIONAL, wantedFiles } from "./wanted.ts";

/** Files fetched at once. */
const AT_ONCE = 4;

/** How far it is. */
export interface PullProgress {
  /** Files and bytes altogether. */
  readonly files: number;
  readonly bytes: number;
  filesDone: number;
  bytesDone: number;
  /** Bytes of `bytesDone` that came over the net now. */
  bytesFetched: number;
  /** Path of the file that began last. */
  current: string;
}

export interface PullOptions {
  readonly environment?: HubEnvironment;
  readonly signal?: AbortSignal;
  /** Only files like these: `*` for a part of a name, `**` for folders too. */
  readonly include?: readonly string[];
  readonly onProgress?: (progress: PullProgress) => void;
  readonly tell?: Client["tell"];
  readonly patience?: number;
  /** Called with the snapshot's folder when all but the weights is there; what it throws ends the pull. */
  readonly check?: (folder: string) => void;
}

export interface Pulled {
  readonly folder: string;
  readonly commit: string;
  readonly files: number;
  readonly bytes: number;
  readonly bytesFetched: number;
}

/**
 * Fetches what load_model or a reader of data needs of a repository. Throws a PullError for what the server, the network or
 * the disk refuse; what came until then stays, and the next pull goes on from there.
 */
export async function pull(repository: Repository, options: PullOptions = {}): Promise<Pulled> {
  const { environment = hubEnvironment(), tell = () => {} } = options;
  if (environment.offline) return offline(environment, repository);
  const token = environment.token();
  try {
    return await fetched(repository, options, environment, (text) => tell(strangersText(text, token)));
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    throw new PullError(strangersText(error.message, token)); // without its cause: that may have the token
  }
}

async function fetched(
  repository: Repository,
  options: PullOptions,
  environment: HubEnvironment,
  tell: Client["tell"],
): Promise<Pulled> {
  const { include = [], onProgress = () => {}, check = () => {}, patience } = options;
  const { signal = new AbortController().signal } = options;
  const client: Client = { environment, repository, signal, tell, ...(patience === undefined ? {} : { patience }) };
  const commit = await resolvedCommit(client), all = await listFiles(client, commit);
  const { beside, weights } = wantedFiles(repository, all, include), files = [...beside, ...weights];
  const home = repositoryFolder(environment, repository), folder = join(home, "snapshots", commit);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  requireRoom(client, files, home);
  const progress: PullProgress = {
    files: files.length,
    bytes,
    filesDone: 0,
    bytesDone: 0,
    bytesFetched: 0,
    current: "",
  };
  const store = (part: readonly RemoteFile[]) =>
    inParallel(client, part, async (file, own) => {
      progress.current = masked(file.path, environment.token());
      await storeFile(own, commit, file, (count, from) => {
        progress.bytesDone += count;
        if (from === "net") progress.bytesFetched += count;
        onProgress(progress);
      });
      progress.filesDone++;
      onProgress(progress);
    });
  await store(beside);
  check(folder);
  await store(weights);
  if (repository.type === "model" && include.length === 0) requireWhole(client, folder);
  remember(home, repository, commit, all);
  ifThere(() => Deno.removeSync(unfinishedMark(environment, repository, commit)), undefined);
  return { folder, commit, files: files.length, bytes, bytesFetched: progress.bytesFetched };
}

/** A few at once, the smallest first, equal ones after each other; the first that fails ends the others. */
async function inParallel(
  client: Client,
  files: readonly RemoteFile[],
  store: (file: RemoteFile, client: Client) => Promise<void>,
): Promise<void> {
  const sorted = [...files].sort((a, b) => a.size - b.size), failed = new AbortController();
  const queue = [...Map.groupBy(sorted, ({ hash }) => hash.hex).values()];
  const own = { ...client, signal: AbortSignal.any([client.signal, failed.signal]) };
  const worker = async () => {
    for (let equal = queue.shift(); equal !== undefined; equal = queue.shift()) {
      for (const file of equal) {
        own.signal.throwIfAborted();
        await store(file, own);
      }
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      failed.abort(error);
      throw error;
    }));
  await Promise.allSettled(workers);
  client.signal.throwIfAborted();
  failed.signal.throwIfAborted();
}

/** The commit of a branch or tag, last: an older one stays in use until all files are there. */
function remember(home: string, { revision }: Repository, commit: string, all: readonly RemoteFile[]): void {
  const paths = new Set(all.map(({ path }) => path)), absent = join(home, ".no_exist", commit);
  try {
    Deno.mkdirSync(absent, { recursive: true });
    for (const name of OPTIONAL) if (!paths.has(name)) Deno.writeTextFileSync(join(absent, name), "");
  } catch (error) {
    if (!isDisk(error)) throw error; // A cache of another's: what is absent is looked for again, no more.
  }
  if (isCommit(revision)) return;
  const path = join(home, "refs", ...revision.split("/"));
  if (textIfThere(path)?.trim() === commit) return;
  Deno.mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, [new TextEncoder().encode(commit)]);
}

function requireWhole({ repository }: Client, folder: string): void {
  const missing = missingFiles(folder);
  if (missing.length === 0) return;
  throw new PullError(
    `Cannot pull ${repository.name}: the repository has no ${missing.slice(0, 3).join(", ")}; ask who keeps it`,
  );
}

function requireRoom({ repository, environment }: Client, files: readonly RemoteFile[], home: string): void {
  const missing = files.reduce((sum, { size, hash }) => sum + size - sizeAt(join(home, "blobs", hash.hex)), 0);
  let at = environment.cache;
  while (!isFolder(at) && dirname(at) !== at) at = dirname(at);
  const { bavail, bsize } = statfsSync(at), free = bavail * bsize;
  if (missing <= free) return;
  throw new PullError(
    `Cannot pull ${repository.name}: it needs ${byteText(missing)} more, the disk of ${environment.cache} has ` +
      `${byteText(free)} free; make room, or set HF_HUB_CACHE to a folder on another disk`,
  );
}

/** Bytes of a blob that are there, whole or in part. */
function sizeAt(blob: string): number {
  for (const path of [blob, `${blob}.incomplete`]) {
    try {
      return Deno.statSync(path).size;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return 0;
}

/** Nothing may be asked: what lies in the cache is what there is. */
function offline(environment: HubEnvironment, repository: Repository): Pulled {
  const folder = cachedSnapshot(environment, repository);
  const missing = folder === null ? ["it"] : repository.type === "model" ? missingFiles(folder) : [];
  if (missing.length === 0 && isUnfinished(environment, repository)) missing.push("all of it");
  if (folder !== null && missing.length === 0) {
    return { folder, commit: folder.split(/[\\/]/).at(-1)!, files: 0, bytes: 0, bytesFetched: 0 };
  }
  throw new PullError(
    `Cannot pull ${repository.name}: HF_HUB_OFFLINE is set, and ${
      missing.join(", ")
    } is not in ${environment.cache}; unset it`,
  );
}
