/**
 * Files and folders that are either complete or not there: written under another name, synced, then renamed.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { messageOf } from "../error_text.ts";
import { isThere } from "../file_system.ts";
import { TEMPORARY_PREFIX } from "../run_folder.ts";

type Chunks = Iterable<Uint8Array>;

/** A write that failed, with how far it came; its cause is the system's error. */
export class WriteError extends Error {
  constructor(readonly path: string, readonly bytes: number, override readonly cause: unknown) {
    super(`Cannot write ${path}: failed after ${bytes} bytes (${messageOf(cause)})`, { cause });
  }
}

/** Writes all bytes; `writeSync` alone may write fewer than asked. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

/**
 * Writes all chunks into a file, and waits until they are on disk with `sync`; the file is removed when that fails (disk
 * full). Returns its bytes. Throws a WriteError.
 */
export function writeChunks(path: string, chunks: Chunks, { sync = true } = {}): number {
  let bytes = 0, file: Deno.FsFile | null = null;
  try {
    file = Deno.openSync(path, { write: true, create: true, truncate: true });
    for (const chunk of chunks) {
      writeAll(file, chunk);
      bytes += chunk.length;
    }
    if (sync) file.syncSync();
    file.close();
  } catch (cause) {
    if (file) {
      file.close();
      Deno.removeSync(path);
    }
    throw new WriteError(path, bytes, cause);
  }
  return bytes;
}

/** Syncs a folder, so that a rename in it survives a power loss. Windows cannot open folders; nothing is done there. */
export function syncFolder(path: string): void {
  if (Deno.build.os === "windows") return;
  const folder = Deno.openSync(path);
  try {
    folder.syncSync();
  } finally {
    folder.close();
  }
}

/** Replaces or makes one file: temporary name, rename. With `sync` also durable when it returns. */
export function replaceFile(path: string, chunks: Chunks, { sync = true } = {}): void {
  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}${basename(path)}`);
  writeChunks(temporary, chunks, { sync });
  Deno.renameSync(temporary, path);
  if (sync) syncFolder(dirname(path));
}

/**
 * Replaces or makes a folder: `fill` writes into a temporary one beside it, which is renamed when all is there.
 * A folder that was there stays until then, and is put back when the rename fails.
 */
export function writeFolderAtomic(path: string, fill: (folder: string) => void): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryName(path);
  Deno.mkdirSync(temporary);
  try {
    fill(temporary);
    syncFolder(temporary);
    swap(temporary, path);
  } catch (error) {
    Deno.removeSync(temporary, { recursive: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function swap(from: string, to: string): void {
  const old = temporaryName(to);
  const replaced = isThere(to);
  if (replaced) Deno.renameSync(to, old);
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (replaced) Deno.renameSync(old, to);
    throw error;
  }
  if (replaced) Deno.removeSync(old, { recursive: true });
}

function temporaryName(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${basename(path)}-${crypto.randomUUID().slice(0, 8)}`);
}
