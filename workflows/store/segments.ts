/**
 * Table segments: the rows of finished train steps as immutable Arrow files `tables/<name>/<first>-<last>.arrow`.
 *
 * They are the log of a run, not its state: what a resume needs lies in the checkpoints. A segment that cannot be read
 * costs its rows.
 * @module
 */
import { dirname, join } from "node:path";
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../data/columns.ts";
import { isThere, listFolder } from "../../data/file_system.ts";
import { parseSegment, RUN_FILES, segmentPath, TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import type { StoredFile } from "../../data/segment_digests.ts";
import { columnArray, decodeTable, encodeTable } from "../../data/tables/mod.ts";
import { sha256 } from "../../data/digest.ts";
import type { Part } from "./finished_rows.ts";
import { type RunTables, WHOLE_TABLES } from "./run_tables.ts";
import { SegmentLog } from "./segment_log.ts";
import { SetAside } from "./set_aside.ts";
import { isReadable, makeFolder, reasonOf, removeIfThere, writeFileAtomic } from "./write_file.ts";

/** A segment's place. */
interface Segment {
  /** Relative to the run folder. */
  readonly path: string;
  readonly table: TableName;
  readonly first: number;
  readonly last: number;
}

/** How a resume treats what it finds. */
interface LoadOptions {
  readonly aside: SetAside;
  /** Rows that are computed again are moved aside as well, not removed: a checkpoint after them could not be read. */
  readonly keepCut: boolean;
  /** Told what was lost. */
  readonly tell: (text: string) => void;
}

export class SegmentStore {
  readonly #log: SegmentLog;
  #storedTo = -1;

  constructor(readonly folder: string) {
    this.#log = new SegmentLog(folder);
  }

  /** The last train step whose rows are stored; -1 before the first. */
  get storedTo(): number {
    return this.#storedTo;
  }

  /**
   * Stores the rows of train steps up to `to` that are not stored yet, and changed whole tables; drops segments of
   * completions that are no longer kept. `sync` before a checkpoint: its rows must be on disk before it is.
   */
  flush(tables: RunTables, to: number, { sync }: { sync: boolean }): void {
    const first = this.#storedTo + 1;
    const files = to < first ? [] : [...tables.rowsBetween(first, to)].map(([name, { table, parts }]) => ({
      path: segmentPath(name, parts[0]!.trainStep, to),
      bytes: encodeTable(name, table, { "nonzero.train_steps": `${parts[0]!.trainStep}-${parts.at(-1)!.trainStep}` }),
    }));
    this.#write(files, sync);
    this.#storedTo = Math.max(this.#storedTo, to);
    for (const name of tables.changed) {
      const table = tables.whole.get(name);
      // Every checkpoint has its own copy of a whole table: no digest.
      if (table !== undefined) this.#put(segmentPath(name, 0, 0), encodeTable(name, table), sync);
    }
    tables.changed.clear();
    if (tables.keepCompletions === "all") return;
    const kept = tables.trainStep - tables.keepCompletions;
    const gone = segmentsOf(this.folder, "completions").filter(({ last }) => last <= kept).map(({ path }) => path);
    this.#log.drop(gone);
    for (const path of gone) removeIfThere(join(this.folder, path));
  }

  /** Stored rows of train steps `from` to `to`, oldest first, read from disk; damaged segments are left out. */
  rows(name: TableName, from: number, to: number): ColumnTable[] {
    return segmentsOf(this.folder, name).filter(({ first, last }) => first <= to && last >= from).flatMap(
      ({ path }) => {
        const read = readBytes(this.folder, path, undefined);
        if ("reason" in read) return [];
        const table = decodeTable(read.bytes);
        const steps = columnArray(table, "train_step") as ArrayLike<number>;
        return [table.slice(rowsBefore(steps, from), rowsBefore(steps, to + 1)).reify()];
      },
    );
  }

  /** The digests come first: a crash leaves one too many, not one too few. */
  #write(files: readonly { readonly path: string; readonly bytes: Uint8Array }[], sync: boolean): void {
    this.#log.add(files.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: sha256(bytes) })), { sync });
    for (const { path, bytes } of files) this.#put(path, bytes, sync);
  }

  #put(path: string, bytes: Uint8Array, sync: boolean): void {
    makeFolder(dirname(join(this.folder, path)));
    writeFileAtomic(join(this.folder, path), bytes, { sync });
  }

  /**
   * Resume: brings the folder to the state before `trainStep` and loads those rows that a window can hold. Rows of
   * `trainStep` and later are cut away, for the checkpoint holds its own and the rest is computed again. What cannot be
   * read is moved aside and told; files of others are left alone.
   */
  load(tables: RunTables, trainStep: number, options: LoadOptions): void {
    const { aside, tell } = options;
    if (!isReadable(join(this.folder, RUN_FILES.segments))) aside.move(RUN_FILES.segments);
    const known = this.#log.read();
    for (const table of Object.keys(TABLES) as TableName[]) {
      const folder = join(RUN_FILES.tables, table);
      if (!isReadable(join(this.folder, folder), "folder")) {
        tell(`The rows of table "${table}" are lost: ${folder} cannot be read; it is moved to ${aside.move(folder)}`);
      }
      for (const name of listFolder(join(this.folder, folder))) {
        if (name.startsWith(TEMPORARY_PREFIX)) removeIfThere(join(this.folder, folder, name));
      }
      if (!WHOLE_TABLES.has(table)) this.#loadTable(tables, table, trainStep, known, options);
    }
    this.#tellMissing(known, trainStep, tell);
    this.#storedTo = trainStep - 1;
  }

  #loadTable(
    tables: RunTables,
    table: TableName,
    trainStep: number,
    known: ReadonlyMap<string, readonly StoredFile[]>,
    { aside, keepCut, tell }: LoadOptions,
  ): void {
    const putAway = (path: string) => {
      if (keepCut) aside.move(path);
      else removeIfThere(join(this.folder, path));
      this.#log.drop([path]);
    };
    let loadedTo = -1, cut = "";
    for (const { path, first, last } of segmentsOf(this.folder, table)) {
      if (path === cut) continue;
      // Both a longer one and what was cut from it: a crash came in between.
      if (first >= trainStep || first <= loadedTo) {
        putAway(path);
        continue;
      }
      const read = readBytes(this.folder, path, known.get(path));
      if ("reason" in read) {
        const to = aside.move(path);
        this.#log.drop([path]);
        const steps = `train steps ${first} to ${Math.min(last, trainStep - 1)}`;
        tell(`The rows of table "${table}" of ${steps} are lost: ${path} ${read.reason}; it is moved to ${to}`);
        continue;
      }
      loadedTo = Math.min(last, trainStep - 1);
      if (last < tables.windowStart(table)) continue;
      let rows = decodeTable(read.bytes);
      if (last >= trainStep) {
        // The shorter segment is written before the longer one goes: a crash in between leaves both, never neither.
        rows = rows.slice(0, rowsBefore(columnArray(rows, "train_step") as ArrayLike<number>, trainStep)).reify();
        if (rows.numRows() > 0) {
          cut = segmentPath(table, first, trainStep - 1);
          this.#write([{ path: cut, bytes: encodeTable(table, rows) }], true);
        }
        putAway(path);
      }
      if (rows.numRows() > 0) tables.restore(table, rows, partsOf(columnArray(rows, "train_step")));
    }
  }

  /** Segments that were written and are not there; told once. */
  #tellMissing(
    known: ReadonlyMap<string, readonly StoredFile[]>,
    trainStep: number,
    tell: (text: string) => void,
  ): void {
    const lost = [...known.keys()].filter((path) => {
      const range = parseSegment(path.split("/").at(-1)!);
      return range !== null && range.first < trainStep && !isThere(join(this.folder, path));
    }).filter((path) => this.#log.read().has(path));
    for (const path of lost) tell(`The rows of ${path} are lost: the file is missing`);
    this.#log.drop(lost);
  }
}

/** The segments of a table on disk, in order of train steps; of those that begin together the longest first. */
export function segmentsOf(folder: string, table: TableName): Segment[] {
  return listFolder(join(folder, RUN_FILES.tables, table)).flatMap((name) => {
    const range = parseSegment(name);
    return range === null ? [] : [{ ...range, table, path: segmentPath(table, range.first, range.last) }];
  }).sort((a, b) => a.first - b.first || b.last - a.last);
}

/** The bytes of a segment, or why they are not to be had. Without digests it must at least decode. */
function readBytes(
  folder: string,
  path: string,
  known: readonly StoredFile[] | undefined,
): { readonly bytes: Uint8Array } | { readonly reason: string } {
  try {
    if (!Deno.statSync(join(folder, path)).isFile) return { reason: "is no file" };
    const bytes = Deno.readFileSync(join(folder, path));
    if (known === undefined) decodeTable(bytes);
    else if (!known.some((file) => file.bytes === bytes.length && file.sha256 === sha256(bytes))) {
      return { reason: "is damaged: its sha256 differs" };
    }
    return { bytes };
  } catch (error) {
    return { reason: `cannot be read: ${reasonOf(error)}` };
  }
}

/** Rows at the beginning whose train step is smaller; rows lie in the order of train steps. */
function rowsBefore(steps: ArrayLike<number>, trainStep: number): number {
  let rows = 0;
  while (rows < steps.length && steps[rows]! < trainStep) rows++;
  return rows;
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
