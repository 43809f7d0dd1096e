/** Some rows of a data set in the order of its files, and what an error calls their places. @module */

import type { Split } from "./split.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface RowBatch {
  readonly rows: readonly Row[];
  /** Names of the columns that are known so far, also of those that were not asked for. */
  readonly columns: readonly string[];
  /** Of a text: the line of each row, from 1. */
  readonly lines?: readonly number[];
  /** The split that the file's name or folder says; null where it says none. */
  readonly split: Split | null;
  /** What is wrong with what a row was made of, which then is no row to use; null where nothing. */
  readonly problems?: readonly (string | null)[];
  /** Row i of the batch, for people: "row 12", "row 12 (line 15)", "row 3 of data/test-00000-of-00001.parquet". */
  place(i: number): string;
}
