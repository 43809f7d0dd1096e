/**
 * What segments.jsonl says of the table segments of a run, and whether they are as they were written.
 *
 * Each line ends with a check of itself; one that is damaged or cut is as if it were not there, and its segment is then
 * read without a digest.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import type { TableName } from "./columns.ts";
import { canonicalJson, sha256 } from "./digest.ts";
import { isThere, orElse } from "./file_system.ts";
import { parseSegment, RUN_FILES } from "./run_folder.ts";

/** A stored file: path relative to the folder it is listed for, size, digest. */
export const STORED_FILE = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string().length(64) });
export type StoredFile = z.output<typeof STORED_FILE>;

type Entry = StoredFile | { readonly path: string; readonly gone: true };

/** What a line ends with. */
export const checkOf = (entry: object) => sha256(canonicalJson(entry)).slice(0, 16);

/** What each segment that should be in `folder` may be, by its path in it; damaged lines are left out. */
export function readSegmentLog(folder: string): Map<string, StoredFile[]> {
  const found = new Map<string, StoredFile[]>();
  // An absent or unreadable log has no lines: segments are then read without digests.
  for (const line of orElse(() => Deno.readTextFileSync(join(folder, RUN_FILES.segments)), "").split("\n")) {
    const entry = parsed(line);
    if (entry === null) continue;
    if ("gone" in entry) found.delete(entry.path);
    else found.set(entry.path, [...found.get(entry.path) ?? [], entry]);
  }
  return found;
}

function parsed(line: string): Entry | null {
  try {
    const { check, ...entry } = JSON.parse(line);
    return check === checkOf(entry) ? entry as Entry : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Looks whether the segments of one run are as they were written. The log is read when it is first asked for. */
export class SegmentDigests {
  #known: ReadonlyMap<string, readonly StoredFile[]> | null = null;
  readonly #whole = new Set<string>();

  constructor(private readonly folder: string) {}

  /**
   * Throws SyntaxError where the bytes of a segment are not those that were written. `path` is below the run's folder; one
   * that the log does not list is whatever it is.
   */
  require(path: string, bytes: () => Uint8Array): void {
    const inFolder = path.slice(this.folder.length).replaceAll("\\", "/").replace(/^\/+/, "");
    if (this.#whole.has(path) || !this.#log().has(inFolder)) return;
    const read = bytes(), digest = sha256(read);
    const isKnown = () => this.#log().get(inFolder)?.some((file) => file.sha256 === digest) ?? true;
    if (!isKnown()) {
      this.#known = null; // A run that goes on may have written it again since.
      const wanted = this.#log().get(inFolder)?.at(-1);
      if (!isKnown()) throw new SyntaxError(changed(read.length, digest, wanted!));
    }
    this.#whole.add(path);
  }

  /** Segments of a table that were written by the end of `trainStep` and are not there, as paths in the run's folder. */
  missing(name: TableName, trainStep: number): string[] {
    const begin = `${RUN_FILES.tables}/${name}/`;
    const gone = () =>
      [...this.#log().keys()].filter((path) => {
        const range = path.startsWith(begin) ? parseSegment(path.slice(begin.length)) : null;
        return range !== null && range.first <= trainStep && !isThere(join(this.folder, path));
      });
    if (gone().length === 0) return [];
    this.#known = null; // A run that goes on says in its log that it removes one.
    return gone();
  }

  #log(): ReadonlyMap<string, readonly StoredFile[]> {
    return this.#known ??= readSegmentLog(this.folder);
  }
}

function changed(bytes: number, digest: string, wanted: StoredFile): string {
  const isOther = bytes !== wanted.bytes;
  const is = `${isOther ? `${bytes} bytes, ` : ""}sha256 ${digest.slice(0, 12)}…`;
  const want = `${isOther ? `${wanted.bytes} bytes, ` : ""}${wanted.sha256.slice(0, 12)}…`;
  return `it is not as it was written: ${is}, want ${want} of ${RUN_FILES.segments}; put back a copy of it, or move it ` +
    "away to read the other rows";
}

/** What is told of a segment that is not there. */
export function missingText(path: string): string {
  return `Cannot read ${path}: it is not there, and ${RUN_FILES.segments} lists it; its rows are lost`;
}
