/** Finds columns that nothing reads and that plainly are for an option: images, and the splits of rows. @module */
import { cellOf, columnsOf, isObject } from "../datasets/cells.ts";
import type { Row } from "../datasets/row_batch.ts";
import { SPLIT_NAMES } from "../datasets/split.ts";
import { isImageBytes } from "./shown_bytes.ts";
import { sourcesIn } from "../tasks/rows/image_source.ts";

/** A column, and the option that reads it once it is named. */
export interface UnusedColumn {
  readonly option: "image_column" | "split_column";
  readonly column: string;
  /** What is in it, and what to do. */
  readonly text: string;
}

/** What is read already: columns or dotted paths, by what they are for. */
interface Used {
  readonly columns: readonly string[];
  /** Whether images are read, or are not wanted. */
  readonly images: boolean;
  readonly split: boolean;
}

/** Rows that are looked at. */
const SAMPLE = 50;

/** At most one for each option, by the first rows. */
export function unusedColumns(rows: readonly Row[], known: readonly string[], used: Used): UnusedColumn[] {
  const sample = rows.slice(0, SAMPLE), taken = new Set(used.columns.flatMap(columnsOf));
  const free = known.filter((name) => !taken.has(name));
  const hasOwn = used.images || sample.some((row) => used.columns.some((name) => namesImages(cellOf(row, name))));
  return [...hasOwn ? [] : imagesAmong(sample, free), ...used.split ? [] : splitAmong(sample, free)];
}

/** How surely a source is an image: the file itself before a path, which may be a note beside others. */
const KINDS: readonly ((source: unknown) => boolean)[] = [
  (source) =>
    source instanceof Uint8Array
      ? isImageBytes(source)
      : isObject(source)
      ? source["bytes"] instanceof Uint8Array ? isImageBytes(source["bytes"]) : isPath(source["path"])
      : typeof source === "string" && /^data:image\//i.test(source),
  isPath,
];

function imagesAmong(sample: readonly Row[], free: readonly string[]): UnusedColumn[] {
  for (const isImage of KINDS) {
    const isOfImages = (name: string) => {
      const cells = sample.map((row) => sourcesIn(row[name])).filter((sources) => sources.length > 0);
      return 2 * cells.filter((sources) => sources.every(isImage)).length > sample.length;
    };
    const column = free.find(isOfImages);
    if (column === undefined) continue;
    const text = `column "${column}" holds images that nothing reads; set image_column: ${column}, or [] to leave them`;
    return [{ option: "image_column", column, text }];
  }
  return [];
}

function splitAmong(sample: readonly Row[], free: readonly string[]): UnusedColumn[] {
  const isSplit = (value: unknown) => typeof value === "string" && Object.hasOwn(SPLIT_NAMES, value.toLowerCase());
  const column = free.find((name) => /split/i.test(name) && sample.every((row) => isSplit(row[name])));
  if (column === undefined || sample.length === 0) return [];
  const names = [...new Set(sample.map((row) => String(row[column])))].join(", ");
  const text = `column "${column}" says ${names} and nothing reads it: a hash decides which rows train; ` +
    `set split_column: ${column} to go by it, or name it in columns`;
  return [{ option: "split_column", column, text }];
}

function isPath(source: unknown): boolean {
  return typeof source === "string" && /^[^\n<>]{1,1000}\.(?:png|jpe?g|webp)$/i.test(source);
}

/** Whether messages have parts that say themselves where their image is. */
function namesImages(cell: unknown): boolean {
  const text = typeof cell === "string" ? (/^\s*\[\s*\{/.test(cell) ? cell : "") : JSON.stringify(cell) ?? "";
  return /"(?:image|image_url)"\s*:\s*(?:"[^"]|\{)/.test(text);
}
