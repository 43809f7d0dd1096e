/** Reads annotations of images, as COCO and LVIS have them, as rows: one for each image and category that is asked. @module */
import type { DataFile, FileBatch } from "../data_file.ts";
import { readAnnotations } from "../detection/annotations.ts";
import { DETECTION_COLUMNS, type DetectionOptions, type ImageSource } from "../detection/detection_options.ts";
import { type DetectionRow, detectionRows } from "../detection/detection_rows.ts";
import { firstKeys } from "../lists_of_file.ts";
import type { Row } from "../row_batch.ts";
import type { Encoding } from "../text_encoding.ts";

/** Rows that are made at a time. */
const ROWS = 5_000;
const MEMBERS = ["images", "annotations", "categories"];

/** Whether a file of JSON holds annotations: its beginning names one of their lists. Throws what opening a file throws. */
export async function holdsAnnotations(path: string): Promise<boolean> {
  if (!/\.json(?:\.gz)?$/i.test(path)) return false;
  return (await firstKeys(path)).some((key) => MEMBERS.includes(key));
}

/** A reader of annotations of which this is asked. Errors as `readAnnotations` and `detectionRows`. */
export const openAnnotations =
  (options: DetectionOptions, source: ImageSource) =>
  (path: string, encoding: Encoding | undefined): Promise<DataFile> => {
    if (encoding !== undefined && encoding !== "utf-8") {
      throw new RangeError(`annotations are read as UTF-8, and encoding is ${encoding}; leave it out`);
    }
    return Promise.resolve({
      rows: null,
      types: null,
      batches: (columns) => batches(path, options, source, columns),
      close() {},
    });
  };

async function* batches(
  path: string,
  options: DetectionOptions,
  source: ImageSource,
  wanted: readonly string[] | undefined,
): AsyncGenerator<FileBatch> {
  let some: DetectionRow[] = [];
  for (const row of detectionRows(await readAnnotations(path), options, source)) {
    some.push(row);
    if (some.length < ROWS) continue;
    yield batchOf(some, wanted);
    some = [];
  }
  yield batchOf(some, wanted);
}

function batchOf(some: readonly DetectionRow[], wanted: readonly string[] | undefined): FileBatch {
  const kept = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => wanted?.includes(name) ?? true));
  return {
    rows: some.map(({ row }) => kept(row)),
    columns: DETECTION_COLUMNS,
    places: some.map(({ place }) => place),
    problems: some.map(({ problem }) => problem),
  };
}
