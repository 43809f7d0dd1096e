/**
 * Reads Arrow IPC, files and streams, one record batch at a time.
 *
 * Both are a sequence of messages, a file's between its mark and its footer: each is framed here, and the library gets
 * the schema, the dictionaries so far and one batch.
 * @module
 */
import { type DataType, setCompressionCodec, type Table, tableFromIPC, Type } from "@uwdata/flechette";
import { zstdDecompressSync } from "node:zlib";
import { PlacedFile } from "../bytes_of_file.ts";
import type { DataFile, FileBatch } from "../data_file.ts";
import { decimalText, timeText } from "../../exact_values.ts";
import { tooDeep } from "../depth.ts";
import { messageOf } from "../../error_text.ts";
import { describedMessage } from "./flatbuffer.ts";
import { LIMITS } from "../limits.ts";
import { plainValue } from "../plain_values.ts";
import type { Row } from "../row_batch.ts";

const MAGIC = "ARROW1";
/** The kinds of message, and the kind of compression of a batch's body, as the format numbers them. */
const SCHEMA = 1, RECORDS = 3, ZSTD = 1;
const CONTINUES = 0xffffffff;
/** Rows that become objects at a time: a batch of numbers may have many. */
const ROWS = 20_000;

setCompressionCodec(ZSTD, {
  encode() {
    throw new Error("batches are only read");
  },
  decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes, { maxOutputLength: LIMITS.batch })),
});

interface Message {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

export async function openArrow(path: string): Promise<DataFile> {
  const file = await PlacedFile.open(path);
  try {
    const schema = messagesOf(file).next().value as Message | undefined;
    if (schema?.kind !== SCHEMA) throw new SyntaxError("it is no Arrow file or stream: it begins with no schema");
    const { fields } = tableOf([schema.bytes]).schema;
    if (fields.length > LIMITS.columns) throw new RangeError(`it has ${fields.length} columns`);
    const twice = fields.find(({ name }, i) => fields.findIndex((other) => other.name === name) !== i);
    if (twice) throw new SyntaxError(`its schema names column "${twice.name}" twice`);
    shallowType(fields);
    const types = Object.fromEntries(fields.map(({ name, type }) => [name, typeName(type)]));
    return { rows: null, types, batches: (columns) => batches(file, columns), close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function* batches(file: PlacedFile, wanted: readonly string[] | undefined): AsyncGenerator<FileBatch> {
  const before: Uint8Array[] = [];
  let any = false;
  for (const { kind, bytes } of messagesOf(file)) {
    if (kind !== RECORDS) {
      before.push(bytes);
      continue;
    }
    const table = tableOf([...before, bytes]);
    for (let from = 0; from < table.numRows; from += ROWS) {
      any = true;
      yield rowsOf(table, wanted, from, Math.min(from + ROWS, table.numRows));
    }
  }
  if (!any) yield { rows: [], columns: tableOf(before).schema.fields.map(({ name }) => name) };
}

/** Values as they are stored: 64-bit integers, decimals and times exact, days as dates. */
function tableOf(messages: Uint8Array[]): Table {
  try {
    return tableFromIPC(messages, {
      useBigInt: true,
      useDate: true,
      useBigIntTimestamp: true,
      useDecimalInt: true,
      useMap: true,
    });
  } catch (error) {
    if (/Exponent must be positive/.test((error as Error).message)) {
      throw new RangeError("one of its decimals has a negative scale, want 0 or more; cast it and write it anew");
    }
    const codec = /Missing compression codec "([^"]+)"/.exec((error as Error).message)?.[1];
    if (codec) throw new RangeError(`its batches are compressed by ${codec}, want ZSTD or none; write it anew`);
    throw new SyntaxError(`its Arrow data is damaged, or of a type that is not read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function rowsOf(table: Table, wanted: readonly string[] | undefined, from: number, to: number): FileBatch {
  const { fields } = table.schema, rows: Record<string, unknown>[] = [];
  for (let row = from; row < to; row++) rows.push({});
  fields.forEach(({ name, type }, index) => {
    if (!(wanted?.includes(name) ?? true)) return;
    const column = table.getChildAt(index);
    try {
      rows.forEach((row, i) => row[name] = plainOf(column.at(from + i), type));
    } catch (error) {
      throw new SyntaxError(`its column "${name}" (${typeName(type)}) is damaged: ${(error as Error).message}`, {
        cause: error,
      });
    }
  });
  return { rows: rows as Row[], columns: fields.map(({ name }) => name) };
}

/** Decimals as their digits, times as ISO texts, wherever they stand; everything else as in Parquet. */
function plainOf(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  const { typeId, children = [], dictionary, scale, unit } = type as DataType & Parts;
  switch (typeId) {
    case Type.Decimal:
      return decimalText(BigInt(value as bigint), scale!);
    case Type.Timestamp:
      return timeText(BigInt(value as bigint), 10n ** BigInt(3 * unit!));
    case Type.Dictionary:
      return plainOf(value, dictionary!);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
    case Type.ListView:
    case Type.LargeListView:
      return Array.from(value as ArrayLike<unknown>, (item) => plainOf(item, children[0]!.type));
    case Type.Struct: {
      const fields = value as Row;
      return Object.fromEntries(children.map(({ name, type }) => [name, plainOf(fields[name], type)]));
    }
    case Type.Map: {
      const { children: [key, item] = [] } = children[0]!.type as DataType & Parts;
      const entries = [...value as Map<unknown, unknown>];
      return Object.fromEntries(entries.map(([name, one]) => [plainOf(name, key!.type), plainOf(one, item!.type)]));
    }
    default:
      return plainValue(value);
  }
}

interface Inner {
  readonly name: string;
  readonly type: DataType;
}

/** What types of some kinds have. */
interface Parts {
  readonly children?: readonly Inner[];
  readonly dictionary?: DataType;
  readonly scale?: number;
  /** Of a time: 0 is seconds, 1 milliseconds, 2 microseconds, 3 nanoseconds. */
  readonly unit?: number;
}

/** The messages in their order. Throws SyntaxError where the file ends in the middle of one. */
function* messagesOf(file: PlacedFile): Generator<Message> {
  const view = (start: number, length: number) => new DataView(file.slice(start, start + length));
  const start = new Uint8Array(file.slice(0, Math.min(MAGIC.length, file.byteLength)));
  let at = String.fromCharCode(...start) === MAGIC ? 8 : 0;
  while (at < file.byteLength) {
    if (at + 8 > file.byteLength) throw new SyntaxError("it is cut off: it ends within a message");
    const head = view(at, 8), isNew = head.getUint32(0, true) === CONTINUES;
    const length = isNew ? head.getUint32(4, true) : head.getUint32(0, true), from = at + (isNew ? 8 : 4);
    if (length === 0) return;
    if (length > LIMITS.description) {
      throw new SyntaxError(`it is no Arrow file or stream, or is damaged at byte ${at}`);
    }
    if (from + length > file.byteLength) throw new SyntaxError("it is cut off: it ends within a message");
    const { kind, body } = described(view(from, length), at), end = from + length + body;
    if (body > LIMITS.batch) {
      throw new RangeError(`it has a batch of ${body} bytes, want at most ${LIMITS.batch}; write smaller batches`);
    }
    if (end > file.byteLength) throw new SyntaxError("it is cut off: it ends within a batch");
    yield { kind, bytes: new Uint8Array(file.slice(at, end)) };
    at = end;
  }
}

function described(view: DataView, place: number): ReturnType<typeof describedMessage> {
  try {
    return describedMessage(view);
  } catch (error) {
    throw new SyntaxError(`it is no Arrow file or stream, or is damaged at byte ${place}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Throws RangeError for types that no walk through their values would come to the end of. */
function shallowType(fields: readonly Inner[]): void {
  let level: readonly Inner[] = fields;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.depth) throw tooDeep("its schema");
    level = level.flatMap(({ type }) => (type as DataType & Parts).children ?? []);
  }
}

/** A type in words. */
function typeName(type: DataType): string {
  const own = type as DataType & {
    readonly children?: readonly Inner[];
    readonly dictionary?: DataType;
    readonly bitWidth?: number;
    readonly signed?: boolean;
    readonly precision?: number;
    readonly scale?: number;
  };
  const inside = own.children?.map((child) => typeName(child.type)) ?? [];
  switch (type.typeId) {
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return "text";
    case Type.Int:
      return `${own.signed ? "" : "u"}int${own.bitWidth}`;
    case Type.Float:
      return ["float16", "float32", "float64"][own.precision!] ?? "float";
    case Type.Decimal:
      return `decimal(${own.precision}, ${own.scale})`;
    case Type.Dictionary:
      return `category<${typeName(own.dictionary!)}>`;
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
    case Type.ListView:
    case Type.LargeListView:
      return `list<${inside[0]}>`;
    case Type.Struct:
      return `struct<${own.children!.map(({ name }, i) => `${name}: ${inside[i]}`).join(", ")}>`;
    default:
      return Object.entries(Type).find(([, id]) => id === type.typeId)?.[0].toLowerCase() ?? `type ${type.typeId}`;
  }
}
