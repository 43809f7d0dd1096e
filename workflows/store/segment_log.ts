/**
 * segments.jsonl: size and sha256 of every table segment of a run, one line each, appended.
 *
 * Each line ends with a check of itself; one that is damaged or cut is as if it were not there, and its segment is then
 * read without a digest.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { ifThere, orElse } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { canonicalJson, sha256 } from "./digest.ts";
import { endsCut, writeAll, writing } from "./write_file.ts";

/** A stored file: path relative to the folder it is listed for, size, digest. */
export const STORED_FILE = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string().length(64) });
export type StoredFile = z.output<typeof STORED_FILE>;

export class SegmentLog {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, RUN_FILES.segments);
  }

  /** Notes what is about to be written: a file may have more than one entry, and is whole when it equals one of them. */
  add(files: readonly StoredFile[], { sync }: { sync: boolean }): void {
    this.#append(files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })), sync);
  }

  /** Notes that files are gone on purpose, or are known to be lost. */
  drop(paths: readonly string[]): void {
    this.#append(paths.map((path) => ({ path, gone: true })), false);
  }

  /** What each segment that should be there may be; damaged lines are left out. */
  read(): Map<string, StoredFile[]> {
    const found = new Map<string, StoredFile[]>();
    // An absent or unreadable log has no lines: segments are then read without digests.
    for (const line of orElse(() => Deno.readTextFileSync(this.#path), "").split("\n")) {
      const entry = parsed(line);
      if (entry === null) continue;
      if ("gone" in entry) found.delete(entry.path);
      else found.set(entry.path, [...found.get(entry.path) ?? [], entry]);
    }
    return found;
  }

  #append(entries: readonly object[], sync: boolean): void {
    if (entries.length === 0) return;
    const lines = entries.map((entry) => JSON.stringify({ ...entry, check: checkOf(entry) }) + "\n").join("");
    // A line of its own after one that a crash cut.
    const bytes = new TextEncoder().encode(endsTorn(this.#path) ? `\n${lines}` : lines);
    writing(this.#path, bytes.length, () => {
      using file = Deno.openSync(this.#path, { append: true, create: true });
      writeAll(file, bytes);
      if (sync) file.syncSync();
    });
  }
}

type Entry = StoredFile | { readonly path: string; readonly gone: true };

const checkOf = (entry: object) => sha256(canonicalJson(entry)).slice(0, 16);

function parsed(line: string): Entry | null {
  try {
    const { check, ...entry } = JSON.parse(line);
    return check === checkOf(entry) ? entry as Entry : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function endsTorn(path: string): boolean {
  return ifThere(() => {
    using file = Deno.openSync(path, { read: true });
    return endsCut(file);
  }, false);
}
