/** Reads a run's folder, also one that was cut off: a torn last event and temporary names are passed over. @module */
import { join } from "node:path";
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "./columns.ts";
import { manifestRemains } from "./damaged_manifest.ts";
import { messageOf } from "./error_text.ts";
import { isFolder, listFolder, textIfThere } from "./file_system.ts";
import { parseCheckpoint, RUN_FILES, RUN_FORMAT, RUN_MANIFEST, type RunManifest } from "./run_folder.ts";
import { missingText, SegmentDigests } from "./segment_digests.ts";
import { anySegment, segmentsOf, type StoredSegment } from "./stored_tables.ts";
import { parseJsonObject } from "./strict_json.ts";
import { columnOrder, concatTables, decodeTable, onePiece, storedTable, type TablePieces } from "./tables/mod.ts";

interface StoredEvent {
  readonly event: string;
  readonly [key: string]: unknown;
}

export interface RunFolder {
  readonly path: string;
  readonly manifest: RunManifest;
  /** Keys of the manifest that could not be read: what it holds there says nothing. */
  readonly unknown: ReadonlySet<string>;
  /** Events in order; `torn` says that the last line was cut. Throws SyntaxError with the line's number for a bad one before it. */
  events(): { readonly events: readonly StoredEvent[]; readonly torn: boolean };
  /** All segments of a table, in order of train steps; without segments the empty table. */
  table(name: TableName): ColumnTable;
  /**
   * The same, opened without its values: a column is read when it is first looked at. A segment that cannot be read is an
   * error, `lost` or not.
   */
  lazyTable(name: TableName): ColumnTable;
  /** The same a segment at a time: a table of any size can be gone through. The prompts, whose types follow their values, are one piece. */
  pieces(name: TableName): TablePieces;
  /**
   * The columns of a table that `wants` says, from segments of at most `mostBytes` together: where there are more, an even
   * choice of them with the first and the last. At least one is read.
   */
  someOf(name: TableName, wants: (column: string) => boolean, mostBytes: number): ColumnTable;
  /** The newest segment of a table alone: the last train steps, without reading the others. */
  lastSegment(name: TableName): ColumnTable;
  /** Train steps between two segments of a table that no segment holds. */
  gaps(name: TableName): readonly { readonly first: number; readonly last: number }[];
  /** Segments that were written and are not there, of these tables or of all, as paths in the run's folder: their rows are lost. */
  missing(names?: readonly TableName[]): readonly string[];
  /** Names of complete checkpoints, oldest first. */
  checkpoints(): readonly string[];
}

/**
 * Opens the run in folder `path`; throws RangeError when it has no run.json, SyntaxError when that is damaged. Where `lost`
 * is told what cannot be read or is missing, a segment costs its rows alone, and a run that has a table is opened without its run.json.
 * A segment that cannot be read, or is not as it was written, throws SyntaxError otherwise.
 */
export function openRunFolder(path: string, lost?: (text: string) => void): RunFolder {
  const digests = new SegmentDigests(path),
    read = (segment: StoredSegment, wants?: (column: string) => boolean) => {
      try {
        const bytes = Deno.readFileSync(segment.path);
        digests.require(segment.path, () => bytes);
        return [decodeTable(bytes, wants)];
      } catch (cause) {
        const problem = `Cannot read ${segment.path}: ${messageOf(cause)}`;
        if (lost === undefined) throw new SyntaxError(problem, { cause });
        lost(problem);
        return [];
      }
    };
  const opened = readManifest(path, lost);
  const missing = (name: TableName) => digests.missing(name, opened.manifest.train_step);
  const segments = (name: TableName) => {
    if (lost !== undefined) { for (const gone of missing(name)) lost(missingText(gone)); }
    return segmentsOf(path, name);
  };
  const whole = (name: TableName) => concatTables(name, segments(name).flatMap((segment) => read(segment)));
  return {
    path,
    ...opened,
    events: () => parseEvents(textIfThere(join(path, RUN_FILES.events)) ?? "", join(path, RUN_FILES.events)),
    table: whole,
    // The types of prompts follow their values.
    lazyTable: (name) =>
      (name === "prompts" ? null : storedTable(name, segmentsOf(path, name).map(({ path }) => path), digests)) ??
        whole(name),
    pieces: (name) => {
      if (name === "prompts") return onePiece(name, whole(name));
      const all = segments(name);
      const filled = function* () {
        for (const segment of all) yield* read(segment).filter((table) => table.numRows() > 0);
      };
      const columns = new Set<string>();
      // Told the names, it unpacks nothing.
      for (const segment of all) read(segment, (column) => !columns.add(column));
      return { name, columns: columnOrder(name, [...columns]), pieces: { [Symbol.iterator]: filled } };
    },
    someOf: (name, wants, mostBytes) =>
      concatTables(name, withinBytes(segments(name), mostBytes).flatMap((segment) => read(segment, wants))),
    lastSegment: (name) => concatTables(name, segments(name).slice(-1).flatMap((segment) => read(segment))),
    gaps: (name) => gapsBetween(segmentsOf(path, name)),
    missing: (names = Object.keys(TABLES) as TableName[]) => names.flatMap(missing),
    checkpoints: () => checkpointsIn(join(path, RUN_FILES.checkpoints)),
  };
}

/** An even choice of segments that are not larger together, the first and the last among them; one at least. */
function withinBytes(segments: readonly StoredSegment[], mostBytes: number): readonly StoredSegment[] {
  const sizes = new Map(segments.map((segment) => [segment, sizeOf(segment.path)]));
  const bytes = (chosen: readonly StoredSegment[]) => chosen.reduce((sum, segment) => sum + sizes.get(segment)!, 0);
  let chosen = segments;
  for (let count = segments.length; bytes(chosen) > mostBytes && count > 1;) {
    count = Math.max(1, Math.min(count - 1, Math.floor(count * mostBytes / bytes(chosen))));
    chosen = Array.from(
      { length: count },
      (_, i) => segments[count === 1 ? segments.length - 1 : Math.round(i * (segments.length - 1) / (count - 1))]!,
    );
  }
  return chosen;
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0; // Gone since it was listed, or unreadable: reading it says so.
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function readManifest(path: string, lost?: (text: string) => void): Pick<RunFolder, "manifest" | "unknown"> {
  const file = join(path, RUN_FILES.manifest), isNoFile = isFolder(file), text = isNoFile ? null : textIfThere(file);
  try {
    if (isNoFile) {
      throw new SyntaxError(
        `Cannot open run ${path}: its ${RUN_FILES.manifest} is a folder, want a file; move it away`,
      );
    }
    return { manifest: wholeManifest(path, file, text), unknown: NOTHING };
  } catch (error) {
    if (lost === undefined || anySegment(path) === null) throw error;
    const { manifest, unknown, problem } = manifestRemains(path, text);
    lost(isNoFile ? problem.replace("it is not there", "it is a folder") : problem);
    return { manifest, unknown };
  }
}

function wholeManifest(path: string, file: string, text: string | null): RunManifest {
  if (text === null) {
    throw new RangeError(`Cannot open run ${path}: it has no ${RUN_FILES.manifest}; want a run's folder`);
  }
  const json = parseJsonObject(text, file);
  const { format } = json;
  if (typeof format === "number" && format !== RUN_FORMAT) {
    throw new SyntaxError(
      `Cannot open run ${path}: it is of format ${format}, want ${RUN_FORMAT}; open it with ` +
        `${format > RUN_FORMAT ? "a newer" : "the older"} version of this program that wrote it`,
    );
  }
  const parsed = RUN_MANIFEST.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SyntaxError(
    `Cannot open run ${path}: ${RUN_FILES.manifest} at "${issue?.path.join(".")}": ${issue?.message}`,
  );
}

function gapsBetween(segments: readonly StoredSegment[]): { first: number; last: number }[] {
  return segments.slice(1).flatMap(({ first }, index) => {
    const end = segments[index]!.last;
    return first > end + 1 ? [{ first: end + 1, last: first - 1 }] : [];
  });
}

/** A checkpoint whose own manifest is missing is not complete. */
function checkpointsIn(folder: string): string[] {
  return listFolder(folder)
    .filter((name) =>
      parseCheckpoint(name) !== null && listFolder(join(folder, name)).includes(RUN_FILES.checkpointManifest)
    )
    .sort((a, b) => {
      const [x, y] = [parseCheckpoint(a)!, parseCheckpoint(b)!];
      return x.trainStep - y.trainStep || x.update - y.update;
    });
}

function parseEvents(text: string, where: string): { events: StoredEvent[]; torn: boolean } {
  const lines = text.split("\n");
  // A complete file ends with a newline, so the last piece is empty; anything else was cut while being written.
  const torn = lines.pop() !== "";
  const events = lines.map((line, index) => {
    const event = parseJsonObject(line, `${where}:${index + 1}`);
    if (typeof event.event === "string") return event as StoredEvent;
    throw new SyntaxError(`Cannot read ${where}:${index + 1}: it has no "event"`);
  });
  return { events, torn };
}
