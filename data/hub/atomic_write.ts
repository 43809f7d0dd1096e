/**
 * Files and folders that are either complete or not there: written under another name, synced, then renamed.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { TEMPORARY_PREFIX } from "../run_folder.ts";

type Chunks = Iterable<Uint8Array>;

/** Writes all chunks to a new file and syncs it; the file is removed when that fails (disk full). Returns its bytes. */
export function writeSynced(path: string, chunks: Chunks): number {
  const file = Deno.openSync(path, { write: true, createNew: true });
  let bytes = 0;
  try {
    for (const chunk of chunks) {
      for (let done = 0; done < chunk.length;) done += file.writeSync(chunk.subarray(done));
      bytes += chunk.length;
    }
    file.syncSync();
    file.close();
  } catch (cause) {
    file.close();
    Deno.removeSync(path);
    throw new Error(`Cannot write ${path}: failed after ${bytes} bytes (${(cause as Error).message})`, { cause });
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

/** Replaces or makes one file: temporary name, sync, rename, sync of the folder. */
export function writeFileAtomic(path: string, chunks: Chunks): void {
  const temporary = temporaryName(path);
  writeSynced(temporary, chunks);
  Deno.renameSync(temporary, path);
  syncFolder(dirname(path));
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
  const replaced = exists(to);
  if (replaced) Deno.renameSync(to, old);
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (replaced) Deno.renameSync(old, to);
    throw error;
  }
  if (replaced) Deno.removeSync(old, { recursive: true });
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function temporaryName(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${basename(path)}-${crypto.randomUUID().slice(0, 8)}`);
}
