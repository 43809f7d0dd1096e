/**
 * segments.jsonl: size and sha256 of every table segment of a run, one line each, appended; data/segment_digests.ts reads it.
 * @module
 */
import { join } from "node:path";
import { ifThere } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { checkOf, readSegmentLog, type StoredFile } from "../../data/segment_digests.ts";
import { endsCut, writeAll, writing } from "./write_file.ts";

export class SegmentLog {
  readonly #path: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
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
    return readSegmentLog(this.#folder);
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

function endsTorn(path: string): boolean {
  return ifThere(() => {
    using file = Deno.openSync(path, { read: true });
    return endsCut(file);
  }, false);
}
