/** Fetches one file into the cache: continued where it broke off, checked by size and hash, then put in its place. @module */
import { createHash, type Hash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { isFile } from "../../file_system.ts";
import { writeAll } from "../atomic_write.ts";
import { lockFolder, repositoryFolder, unfinishedMark } from "./cache.ts";
import { withLock } from "./lock.ts";
import { fileUrl, type RemoteFile } from "./listing.ts";
import { PullError } from "./refusal.ts";
import { chunksOf, type Client, hostOf, networkReason, pause, request } from "./request.ts";

/** Tries without progress before a file is given up. */
const MAX_STALLS = 5;
/** Bytes beyond the most that ever lay there that count as progress: a server that sends one at a time is given up. */
const PROGRESS_BYTES = 1 << 16;
const READ_BYTES = 1 << 20;

/** Told of bytes that came: from the net, or found from an earlier try; less than 0 where some were thrown away. */
type OnBytes = (bytes: number, from: "net" | "disk") => void;

/** Puts a file of `commit` into the snapshot's folder; one that lies there is taken when it has the hash. */
export async function storeFile(client: Client, commit: string, file: RemoteFile, onBytes: OnBytes): Promise<void> {
  const { environment, repository } = client, home = repositoryFolder(environment, repository);
  const pointer = join(home, "snapshots", commit, ...file.path.split("/")), blob = join(home, "blobs", file.hash.hex);
  if (await isWhole(client, pointer, file)) return onBytes(file.size, "disk");
  try {
    await stored(client, commit, file, { pointer, blob }, onBytes);
  } catch (error) {
    throw refusedByDisk(error, client, file);
  }
}

async function stored(
  client: Client,
  commit: string,
  file: RemoteFile,
  { pointer, blob }: { readonly pointer: string; readonly blob: string },
  onBytes: OnBytes,
): Promise<void> {
  const { environment, repository } = client;
  Deno.mkdirSync(dirname(pointer), { recursive: true });
  Deno.mkdirSync(dirname(blob), { recursive: true });
  const mark = unfinishedMark(environment, repository, commit);
  Deno.mkdirSync(dirname(mark), { recursive: true });
  Deno.writeTextFileSync(mark, "");
  const lock = join(lockFolder(environment, repository), `${file.hash.hex}.lock`);
  await withLock(client, lock, file.path, async () => {
    if (await isWhole(client, blob, file)) onBytes(file.size, "disk");
    else if (await isWhole(client, pointer, file)) return onBytes(file.size, "disk");
    else {
      if (sizeOf(blob) === file.size) {
        client.tell(`${file.path} in the cache does not have its hash: fetching it again`);
      }
      await fetchBlob(client, commit, file, `${blob}.incomplete`, onBytes);
      Deno.renameSync(`${blob}.incomplete`, blob);
    }
    point(blob, pointer);
  });
}

/** Whether the file lies there with its size and its hash: a disk, or another program, may have changed it. */
async function isWhole({ signal }: Client, path: string, file: RemoteFile): Promise<boolean> {
  if (sizeOf(path) !== file.size) return false;
  using bytes = await Deno.open(path);
  const hash = begun(file), buffer = new Uint8Array(READ_BYTES);
  for (let read = await bytes.read(buffer); read !== null; read = await bytes.read(buffer)) {
    signal.throwIfAborted();
    hash.update(buffer.subarray(0, read));
  }
  return hash.digest("hex") === file.hash.hex;
}

const sizeOf = (path: string) => isFile(path) ? Deno.statSync(path).size : null;

/** A link from the snapshot to the blob; where the disk has none, the file itself. */
function point(blob: string, pointer: string): void {
  // A name of its own: one that is as long as file systems take has no room for more.
  const temporary = join(dirname(pointer), `.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    Deno.symlinkSync(relative(dirname(pointer), blob), temporary);
  } catch {
    Deno.copyFileSync(blob, temporary); // Windows without the right to link, or a disk without links
  }
  Deno.renameSync(temporary, pointer);
}

async function fetchBlob(
  client: Client,
  commit: string,
  file: RemoteFile,
  path: string,
  onBytes: OnBytes,
): Promise<void> {
  let told = 0;
  const reach = (position: number, from: "net" | "disk") => (onBytes(position - told, from), told = position);
  for (let stalls = 0, most = 0, isAgain = false;;) {
    const out = Deno.openSync(path, { read: true, write: true, create: true });
    let before = 0, had = 0, problem: string | null = null, digest = "";
    try {
      const state = resumed(out, file);
      [before, had] = [state.had, state.had];
      most = Math.max(most, had);
      try {
        had = await fetchRest(client, commit, file, out, state, reach);
      } catch (error) {
        client.signal.throwIfAborted();
        had = out.statSync().size;
        if (error instanceof PullError || isDisk(error)) throw error;
        problem = networkReason(error);
      }
      if (problem === null && had < file.size) {
        problem = `${hostOf(client.environment.endpoint)} ended ${file.path} early`;
      }
      if (problem === null) digest = state.hash.digest("hex");
      if (problem === null) out.syncSync();
    } finally {
      out.close();
    }
    if (problem !== null) {
      stalls = had >= most + PROGRESS_BYTES ? 0 : stalls + 1;
      if (stalls === 0) most = had;
      if (stalls >= MAX_STALLS) throw new PullError(brokenOff(client, file, had, problem));
      await pause(client, stalls + 1, null, problem);
    } else if (digest === file.hash.hex) return;
    else {
      Deno.removeSync(path);
      reach(0, "disk");
      // A part from before may be of another file of that length; what came in one go is what the server has.
      if (before === 0 || isAgain) throw new PullError(wrongHash(client, file, digest));
      isAgain = true;
      client.tell(`${file.path} does not have its hash: fetching it from its beginning`);
    }
  }
}

interface Resumed {
  readonly hash: Hash;
  readonly had: number;
}

/** The hash of what an earlier try left, which the file is continued after. */
function resumed(out: Deno.FsFile, file: RemoteFile): Resumed {
  const size = out.statSync().size, had = size > file.size ? 0 : size, hash = begun(file);
  if (had < size) out.truncateSync(0);
  const buffer = new Uint8Array(READ_BYTES);
  out.seekSync(0, Deno.SeekMode.Start);
  for (let done = 0; done < had;) {
    const count = out.readSync(buffer)!;
    hash.update(buffer.subarray(0, count));
    done += count;
  }
  return { hash, had };
}

/** git hashes a file's length before its bytes. */
function begun({ hash: { kind }, size }: RemoteFile): Hash {
  return kind === "sha256" ? createHash("sha256") : createHash("sha1").update(`blob ${size}\0`);
}

/** Appends what is missing; returns the bytes that are there then. */
async function fetchRest(
  client: Client,
  commit: string,
  file: RemoteFile,
  out: Deno.FsFile,
  state: Resumed,
  reach: (position: number, from: "net" | "disk") => void,
): Promise<number> {
  let { had } = state;
  if (had === file.size) return reach(had, "disk"), had;
  const url = fileUrl(client, commit, file.path);
  const response = await request(client, url, had > 0 ? { range: `bytes=${had}-` } : {});
  if (had > 0 && response.status !== 206) {
    // The server sends no parts: from the beginning, in another try.
    await response.body?.cancel();
    out.truncateSync(0);
    throw new Error(`${hostOf(url)} sends no part of ${file.path}`);
  }
  const total = announced(response, had);
  if (total !== null && total !== file.size) {
    await response.body?.cancel();
    throw new PullError(
      `Cannot pull ${client.repository.name}: ${
        hostOf(url)
      } sends ${total} bytes as ${file.path}, its list says ${file.size}; ` +
        "run the same command again, or ask who keeps that server",
    );
  }
  reach(had, "disk");
  for await (const chunk of chunksOf(response, client.signal)) {
    if (had + chunk.length > file.size) {
      throw new PullError(
        `Cannot pull ${client.repository.name}: ${
          hostOf(url)
        } sends more than the ${file.size} bytes of ${file.path}; run the ` +
          "same command again, or ask who keeps that server",
      );
    }
    writeAll(out, chunk);
    state.hash.update(chunk);
    had += chunk.length;
    reach(had, "net");
  }
  return had;
}

/** Bytes of the whole file by the headers of an answer that begins at `from`; null where they do not say. */
function announced({ status, headers }: Response, from: number): number | null {
  if (headers.has("content-encoding")) return null;
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    return Number(start) === from ? Number(total) : -1;
  }
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}

/** A full disk, a quota, a folder that may not be written. */
export const isDisk = (error: unknown) =>
  error instanceof Error && /\(os error \d+\)/.test(error.message) &&
  /os error (?:5|13|27|28|30|122)\b/.test(error.message);

/** What the disk refuses, as a sentence; any other error as it is. */
function refusedByDisk(error: unknown, { repository }: Client, { path }: RemoteFile): unknown {
  if (!isDisk(error)) return error;
  const reason = (error as Error).message.replace(/\s*\(os error \d+\).*$/s, "").toLowerCase();
  return new PullError(
    `Cannot pull ${repository.name}: ${path} cannot be written (${reason}); make room, or set HF_HUB_CACHE to a folder with ` +
      "more, then run the same command again: it goes on where it stopped",
    { cause: error },
  );
}

function brokenOff({ repository }: Client, { path, size }: RemoteFile, had: number, problem: string): string {
  return `Cannot pull ${repository.name}: ${path} broke off after ${had} of ${size} bytes (${problem}); run the same command ` +
    "again: it goes on where it stopped";
}

function wrongHash({ repository, environment }: Client, { path, hash }: RemoteFile, found: string): string {
  const kind = hash.kind === "git" ? "git hash" : "sha256";
  return `Cannot pull ${repository.name}: ${path} from ${
    hostOf(environment.endpoint)
  } has ${kind} ${found}, want ${hash.hex}; it ` +
    "was removed; run the same command again, and do not use that server if it stays so";
}
