/** Reads all rows of a file, which are held together, within limits. @module */
import { formatOf } from "./formats/mod.ts";
import { LIMITS, megabytes } from "./limits.ts";
import { type DatasetOptions, openDataset } from "./open_dataset.ts";
import type { Row } from "./row_batch.ts";

/** The rows with the columns that are wanted, and the names of all columns. */
export interface FileRows {
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  /** Of one text: the line of each row, from 1. */
  readonly lines?: readonly number[];
  /** What an error calls row i; "row 3" for the third by default. */
  readonly place?: (i: number) => string;
}

export interface ReadOptions extends DatasetOptions {
  /** Columns to keep, a dotted path as the column that it leads into; all by default. */
  readonly columns?: readonly string[];
}

/**
 * Rows of a file or of a folder as objects by column name. CSV needs a header line and gives texts; a byte order mark is
 * skipped. Throws RangeError for an unknown ending, a missing file or one that is too large, SyntaxError with the place
 * for one that is broken.
 */
export async function readRows(path: string, { columns, ...options }: ReadOptions = {}): Promise<FileRows> {
  const { name, parts, batches } = await openDataset(path, options), what = options.what ?? "prompts";
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes > LIMITS.bytes) {
    throw new RangeError(
      `Cannot load ${what} from ${name}: it has ${megabytes(bytes)} MB, want at most ${megabytes(LIMITS.bytes)} MB`,
    );
  }
  const rows: Row[] = [], places: { readonly from: number; readonly place: (i: number) => string }[] = [];
  const names = new Set<string>(), lines: number[] = [];
  for await (const batch of batches(columns)) {
    places.push({ from: rows.length, place: batch.place });
    for (const row of batch.rows) rows.push(row);
    for (const line of batch.lines ?? []) lines.push(line);
    for (const column of batch.columns) names.add(column);
    if (rows.length > LIMITS.rows) {
      throw new RangeError(`Cannot load ${what} from ${name}: it has more than ${LIMITS.rows} rows`);
    }
  }
  const place = (i: number) => {
    const batch = places.findLast(({ from }) => from <= i)!;
    return batch.place(i - batch.from);
  };
  const own = parts.length === 1 && lines.length === rows.length && rows.length > 0 ? { lines } : {};
  return { rows, columns: [...names], ...own, place };
}

/** Whether a file of this name holds rows. */
export const hasRows = (name: string) => formatOf(name) !== null;
