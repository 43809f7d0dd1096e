/** The tables of a run folder that its diagnosis needs, as far as they can be read. @module */
import { basename, join } from "node:path";
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "./columns.ts";
import { messageOf } from "./error_text.ts";
import { isFolder, listFolder } from "./file_system.ts";
import { parseSegment, RUN_FILES } from "./run_folder.ts";
import type { RunRows } from "./run_rows.ts";
import { SegmentDigests } from "./segment_digests.ts";
import { concatTables, decodeTable } from "./tables/mod.ts";

/** Read whole. Of the completions the last segment is enough: rules look at the last train step's. */
const WHOLE = [
  "metrics",
  "updates",
  "prompts",
  "evaluations",
  "settings",
  "messages",
] as const satisfies readonly TableName[];

interface StoredTables {
  readonly rows: RunRows;
  /** Segments that cannot be read, each with its reason: they cost their rows. */
  readonly damaged: readonly { readonly path: string; readonly reason: string }[];
}

/** Reads the tables of the run in `folder`. */
export function storedTables(folder: string): StoredTables {
  const damaged: { path: string; reason: string }[] = [], digests = new SegmentDigests(folder);
  const read = ({ path }: StoredSegment): ColumnTable | null => {
    try {
      const bytes = Deno.readFileSync(path);
      digests.require(path, () => bytes);
      return decodeTable(bytes);
    } catch (error) {
      damaged.push({ path, reason: messageOf(error) });
      return null;
    }
  };
  const tables: Partial<Record<TableName, ColumnTable>> = {};
  for (const name of WHOLE) {
    const parts = segmentsOf(folder, name).flatMap((segment) => read(segment) ?? []);
    if (parts.length > 0) tables[name] = concatTables(name, parts);
  }
  for (const segment of segmentsOf(folder, "completions").reverse()) {
    const part = read(segment);
    if (part === null) continue;
    tables.completions = part;
    break;
  }
  return { rows: { tables, log: null }, damaged };
}

/** The path of some segment of the run in `folder`; null where no table of ours lies there. */
export function anySegment(folder: string): string | null {
  for (const table of Object.keys(TABLES) as TableName[]) {
    const [segment] = segmentsOf(folder, table);
    if (segment !== undefined) return `${folder}/${RUN_FILES.tables}/${table}/${basename(segment.path)}`;
  }
  return null;
}

/** One stored piece of a table: its first and last train step. */
export interface StoredSegment {
  readonly first: number;
  readonly last: number;
  readonly path: string;
}

/** A table's segments in the order of their train steps; none where the run has no such table. */
export function segmentsOf(folder: string, table: TableName): StoredSegment[] {
  const path = join(folder, RUN_FILES.tables, table);
  const segments = (isFolder(path) ? listFolder(path) : []).flatMap((name) => {
    const range = parseSegment(name);
    return range === null ? [] : [{ ...range, path: join(path, name) }];
  });
  return segments.sort((a, b) => a.first - b.first || a.last - b.last);
}
