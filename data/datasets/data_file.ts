/** What a reader of one format gives: the columns, and the rows some at a time. @module */
import type { Encoding } from "./text_encoding.ts";
import type { Row } from "./row_batch.ts";

export interface FileBatch {
  readonly rows: readonly Row[];
  /** Names of the columns that are known so far. */
  readonly columns: readonly string[];
  /** Of a text: the line of each row, from 1. */
  readonly lines?: readonly number[];
  /** Of what was no row before: what an error calls each row. */
  readonly places?: readonly string[];
  /** What is wrong with what a row was made of; null where nothing. */
  readonly problems?: readonly (string | null)[];
}

export interface DataFile {
  /** Rows, where the file says it itself. */
  readonly rows: number | null;
  /** Types of the columns, where the file says them. */
  readonly types: Readonly<Record<string, string>> | null;
  /** The rows in order, with the columns that are wanted; all by default. */
  batches(columns?: readonly string[]): AsyncGenerator<FileBatch>;
  close(): void;
}

/** Opens a file of a format. Throws SyntaxError or RangeError for one that is broken. */
export type OpenFile = (path: string, encoding: Encoding | undefined) => Promise<DataFile>;
