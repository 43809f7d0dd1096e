/** Writes files so that they are complete or absent, with errors that name the path and the bytes. @module */
import { existsSync } from "node:fs";
import { replaceFile, syncFolder as syncNames, writeChunks, WriteError } from "../../data/hub/atomic_write.ts";
import { ifThere, listFolder } from "../../data/file_system.ts";

export { writeAll } from "../../data/hub/atomic_write.ts";

/** Does a file operation; its failure says what was being written, where, and how large it was. */
export function writing<T>(path: string, bytes: number, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new Error(
      `Cannot write ${path}: ${bytes} bytes, ${reasonOf(cause)}; free space or make the folder writable, then resume`,
      { cause },
    );
  }
}

/** What the system says of a file, without the number of the error and the call. */
export function reasonOf(error: unknown): string {
  if (error instanceof WriteError) return reasonOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/\s*\(os error \d+\).*$/s, "").replace(/^Cannot read a table: /, "");
}

/** Creates or replaces the file, writes the parts and waits until they are on disk. */
export function writeSynced(path: string, parts: readonly Uint8Array[]): void {
  writing(path, parts.reduce((sum, part) => sum + part.byteLength, 0), () => writeChunks(path, parts));
}

/** Makes renames and new names in a folder durable; Windows has no such call. */
export function syncFolder(path: string): void {
  writing(path, 0, () => syncNames(path));
}

/** Replaces a file: temporary name, rename. With `sync` also durable when it returns. */
export function writeFileAtomic(path: string, bytes: Uint8Array, { sync = false } = {}): void {
  writing(path, bytes.byteLength, () => replaceFile(path, [bytes], { sync }));
}

/** Replaces a file of the user's: where it is a link what it leads to, with the permissions that it has. */
export function rewriteFile(path: string, bytes: Uint8Array): void {
  const real = Deno.realPathSync(path), { mode } = Deno.statSync(real);
  writeFileAtomic(real, bytes);
  if (mode !== null && Deno.build.os !== "windows") Deno.chmodSync(real, mode & 0o7777);
}

/** Writes a page where the user wants it: the old one stays until all of the new one is on the disk. */
export function writePage(path: string, text: string): void {
  const bytes = new TextEncoder().encode(text);
  if (!existsSync(path)) writeFileAtomic(path, bytes);
  else if (Deno.statSync(path).isFile) rewriteFile(path, bytes);
  else writing(path, bytes.byteLength, () => Deno.writeFileSync(path, bytes)); // A pipe or a device keeps nothing.
}

/** Removes a file or folder; its absence is no error. */
export function removeIfThere(path: string): void {
  ifThere(() => Deno.removeSync(path, { recursive: true }), undefined);
}

/** Whether a file or folder can be read; what is absent can be made. */
export function isReadable(path: string, kind: "file" | "folder" = "file"): boolean {
  try {
    if (kind === "folder") listFolder(path);
    else if (!Deno.statSync(path).isFile) return false;
    else Deno.openSync(path, { read: true }).close();
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Whether a file of lines ends within one, as a crash leaves it. */
export function endsCut(file: Deno.FsFile): boolean {
  if (file.seekSync(0, Deno.SeekMode.End) === 0) return false;
  file.seekSync(-1, Deno.SeekMode.End);
  const last = new Uint8Array(1);
  file.readSync(last);
  return last[0] !== 10;
}

/** Creates a folder with its parents. */
export function makeFolder(path: string): void {
  writing(path, 0, () => Deno.mkdirSync(path, { recursive: true }));
}
