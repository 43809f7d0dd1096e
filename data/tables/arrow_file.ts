/**
 * Opens an Arrow IPC file without its values: they stay on the disk until a column is asked for.
 *
 * The file's structure (schema, dictionaries, where each buffer lies) is a few kilobytes; it is read into a buffer as long as
 * the file, whose other pages no one touches and the system therefore never allots. Values are read into their own places.
 * @module
 */
import type { Column as ArrowColumn, Table } from "@uwdata/flechette";
import type { TableName } from "../columns.ts";
import { checkTableName } from "../run_folder.ts";
import { arrowTable } from "./arrow.ts";

/** A column of the file whose values can be looked at after `fill`. */
export interface FileColumn {
  readonly name: string;
  /** Our type, as whoever wrote the file had it; null where it is not said. */
  readonly type: string | null;
  readonly column: ArrowColumn<unknown>;
  /** Reads the column's values from the disk, once. */
  readonly fill: () => void;
}

interface ArrowFile {
  readonly table: TableName;
  readonly rows: number;
  readonly columns: readonly FileColumn[];
}

/** Throws SyntaxError for a file that is no table of ours, and what the system says of one that cannot be read. */
export function openArrowFile(path: string): ArrowFile {
  const bytes = structureOf(path);
  const { arrow, metadata } = arrowTable(bytes);
  return {
    table: checkTableName(metadata["nonzero.table"] ?? ""),
    rows: arrow.numRows,
    columns: arrow.schema.fields.map(({ name, metadata }, index) => {
      const column = arrow.getChildAt(index) as ArrowColumn<unknown>;
      let isFilled = false;
      const fill = () => {
        if (!isFilled) readPlaces(path, placesOf(arrow, index), bytes);
        isFilled = true;
      };
      return { name, type: metadata?.get("nonzero.type") ?? null, column, fill };
    }),
  };
}

/** The bytes before the first record batch's values and behind them; the whole file where it is built otherwise. */
function structureOf(path: string): Uint8Array {
  using file = Deno.openSync(path);
  const { size } = file.statSync(), bytes = new Uint8Array(size);
  const read = (from: number, to: number) => readAt(file, bytes, from, to);
  const values = valuesIn(bytes, read);
  if (values === null) read(0, size);
  else read(values.end, size);
  return bytes;
}

/** Begins every message since Arrow 0.15, before the length of what describes it. */
const CONTINUATION = -1;
const RECORD_BATCH = 3;
const FIRST_MESSAGE = 8;

/** Walks the messages up to the first record batch, reading what it passes; where that batch's values lie, or null. */
function valuesIn(
  bytes: Uint8Array,
  read: (from: number, to: number) => void,
): { readonly start: number; readonly end: number } | null {
  const view = new DataView(bytes.buffer);
  for (let at = FIRST_MESSAGE; at + 8 <= bytes.length;) {
    read(at === FIRST_MESSAGE ? 0 : at, at + 8);
    const length = view.getInt32(at + 4, true), head = at + 8, start = head + length;
    if (view.getInt32(at, true) !== CONTINUATION || length <= 0 || start > bytes.length) return null;
    read(head, start);
    const { type, bodyLength } = describedBy(new DataView(bytes.buffer, head, length));
    const end = start + bodyLength;
    if (end > bytes.length) return null;
    if (type === RECORD_BATCH) return { start, end };
    read(start, end);
    at = end;
  }
  return null;
}

/** What a message's flatbuffer says it is: the kind of its header, and the bytes of its body. */
function describedBy(message: DataView): { readonly type: number; readonly bodyLength: number } {
  const table = message.getInt32(0, true), slots = table - message.getInt32(table, true);
  const slot = (at: number) => at < message.getUint16(slots, true) ? message.getUint16(slots + at, true) : 0;
  const type = slot(6), body = slot(10);
  return {
    type: type ? message.getUint8(table + type) : 0,
    bodyLength: body ? Number(message.getBigInt64(table + body, true)) : 0,
  };
}

/** The parts of the buffer in which a column's values stand, its lists' items too. */
function placesOf(arrow: Table, index: number): Uint8Array[] {
  type Batch = { readonly [name: string]: unknown; readonly children?: readonly Batch[] };
  const places = (batch: Batch): Uint8Array[] => [
    ...[batch["validity"], batch["offsets"], batch["values"]].flatMap((part) =>
      ArrayBuffer.isView(part) ? [new Uint8Array(part.buffer, part.byteOffset, part.byteLength) as Uint8Array] : []
    ),
    ...(batch.children ?? []).flatMap(places),
  ];
  return (arrow.getChildAt(index).data as unknown as readonly Batch[]).flatMap(places);
}

function readPlaces(path: string, places: readonly Uint8Array[], bytes: Uint8Array): void {
  using file = Deno.openSync(path);
  for (const { buffer, byteOffset, byteLength } of places) {
    if (buffer === bytes.buffer) readAt(file, bytes, byteOffset, byteOffset + byteLength);
  }
}

function readAt(file: Deno.FsFile, bytes: Uint8Array, from: number, to: number): void {
  file.seekSync(from, Deno.SeekMode.Start);
  for (let at = from; at < to;) {
    const count = file.readSync(bytes.subarray(at, to));
    if (count === null) throw new SyntaxError(`Cannot read a table: it ends after ${at} bytes, want ${to}`);
    at += count;
  }
}
