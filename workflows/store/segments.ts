/**
 * Table segments: the rows of finished train steps as immutable Arrow files `tables/<name>/<first>-<last>.arrow`.
 * @module
 */
import { dirname, join } from "node:path";
import type { TableName } from "../../data/columns.ts";
import { checkTableName, parseSegment, RUN_FILES, segmentPath, TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { columnArray, decodeTable, encodeTable } from "../../data/tables/mod.ts";
import { sha256 } from "./digest.ts";
import { type Part, type RunTables, WHOLE_TABLES } from "./run_tables.ts";
import { listFolder, makeFolder, removeIfThere, writeFileAtomic } from "./write_file.ts";

/** A stored file: path relative to the run folder, size, digest. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A segment with its place. */
export interface Segment extends StoredFile {
  readonly table: TableName;
  readonly first: number;
  readonly last: number;
}

/** The segments of one run. */
export class SegmentStore {
  readonly #segments: Segment[] = [];
  #storedTo = -1;

  constructor(readonly folder: string) {}

  /** The last train step whose rows are stored; -1 before the first. */
  get storedTo(): number {
    return this.#storedTo;
  }

  get all(): readonly Segment[] {
    return this.#segments;
  }

  /**
   * Stores the rows of train steps up to `to` that are not stored yet, and changed whole tables; drops segments of
   * completions that are no longer kept. `sync` before a checkpoint: the files must be on disk when it refers to them.
   */
  flush(tables: RunTables, to: number, { sync }: { sync: boolean }): void {
    const first = this.#storedTo + 1;
    if (to >= first) {
      for (const [name, { table, parts }] of tables.rowsBetween(first, to)) {
        this.#write(name, parts[0]!.trainStep, to, encodeTable(name, table, partsMetadata(parts)), sync);
      }
      this.#storedTo = to;
    }
    for (const name of tables.changed) {
      const table = tables.whole.get(name);
      if (table !== undefined) this.#write(name, 0, 0, encodeTable(name, table), sync);
    }
    tables.changed.clear();
    if (tables.keepCompletions === "all") return;
    const kept = tables.trainStep - tables.keepCompletions;
    for (const segment of this.#segments.filter(({ table, last }) => table === "completions" && last <= kept)) {
      this.#forget(segment);
    }
  }

  #write(table: TableName, first: number, last: number, bytes: Uint8Array, sync: boolean): void {
    const path = segmentPath(table, first, last);
    makeFolder(dirname(join(this.folder, path)));
    writeFileAtomic(join(this.folder, path), bytes, { sync });
    // Every checkpoint has its own copy of a whole table.
    if (WHOLE_TABLES.has(table)) return;
    const known = this.#segments.findIndex((segment) => segment.path === path);
    if (known >= 0) this.#segments.splice(known, 1);
    this.#segments.push({ path, table, first, last, bytes: bytes.length, sha256: sha256(bytes) });
  }

  #forget(segment: Segment): void {
    removeIfThere(join(this.folder, segment.path));
    this.#segments.splice(this.#segments.indexOf(segment), 1);
  }

  /**
   * Resume: brings the folder to the state before `trainStep` and loads those rows. Rows of `trainStep` and later are
   * cut away, for the checkpoint holds its own and the rest is computed again.
   */
  load(tables: RunTables, trainStep: number): void {
    const root = join(this.folder, RUN_FILES.tables);
    for (const folder of listFolder(root)) {
      const table = checkTableName(folder);
      const files = listFolder(join(root, folder));
      for (const name of files.filter((file) => file.startsWith(TEMPORARY_PREFIX))) {
        removeIfThere(join(root, folder, name));
      }
      if (WHOLE_TABLES.has(table)) continue;
      const segments = files.flatMap((name) => parseSegment(name) ?? []).sort((a, b) =>
        a.first - b.first || b.last - a.last
      );
      for (const { first, last } of segments) this.#loadSegment(tables, table, first, last, trainStep);
    }
    this.#storedTo = trainStep - 1;
  }

  #loadSegment(tables: RunTables, table: TableName, first: number, last: number, trainStep: number): void {
    const path = segmentPath(table, first, last);
    const file = join(this.folder, path);
    // Cut from a longer one a moment ago.
    if (this.#segments.some((known) => known.path === path)) return;
    if (first >= trainStep) return removeIfThere(file);
    let bytes: Uint8Array = Deno.readFileSync(file);
    if (last >= trainStep) {
      // The shorter segment is written before the longer one goes: a crash in between leaves both, never neither.
      const whole = decodeTable(bytes);
      const steps = columnArray(whole, "train_step");
      let rows = 0;
      while (rows < steps.length && (steps[rows] as number) < trainStep) rows++;
      if (rows > 0) {
        bytes = encodeTable(table, whole.slice(0, rows).reify());
        this.#write(table, first, trainStep - 1, bytes, true);
      }
      removeIfThere(file);
      if (rows === 0) return;
    } else if (this.#segments.some((known) => known.table === table && known.last >= first)) {
      return removeIfThere(file);
    } else {
      this.#segments.push({ path, table, first, last, bytes: bytes.length, sha256: sha256(bytes) });
    }
    const rows = decodeTable(bytes);
    tables.restore(table, rows, partsOf(columnArray(rows, "train_step")));
  }
}

function partsMetadata(parts: readonly Part[]): Record<string, string> {
  return { "nonzero.train_steps": `${parts[0]!.trainStep}-${parts.at(-1)!.trainStep}` };
}

/** Consecutive rows of one train step are one part; who wrote it no longer matters once the step is over. */
function partsOf(steps: ArrayLike<unknown>): Part[] {
  const parts: { trainStep: number; writer: string; rows: number }[] = [];
  for (let row = 0; row < steps.length; row++) {
    const trainStep = steps[row] as number;
    if (parts.at(-1)?.trainStep === trainStep) parts.at(-1)!.rows++;
    else parts.push({ trainStep, writer: "", rows: 1 });
  }
  return parts;
}
