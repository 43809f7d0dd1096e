/**
 * Opens Parquet files of strangers: how much they hold is known, and bounded, before anything is decoded.
 *
 * A file of 2 MB can hold 20 million equal values. Not only the footer is asked: it may lie, so the header of every page
 * is read before its values are, and of values that repeat the ones before how much they repeat.
 * @module
 */
import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { messageOf } from "./error_text.ts";
import { timeText } from "./exact_values.ts";
import { exactDecimals } from "./parquet_decimals.ts";
import { prefixBytes } from "./parquet_prefixes.ts";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

type Row = Record<string, unknown>;

interface ParquetLimits {
  /** Values of all columns that are read, together. */
  readonly values: number;
  /** Bytes of all their pages, decompressed. */
  readonly bytes: number;
  /** The same for each byte of the file, once there are more than `freely`: texts reach 20, bombs 1000. */
  readonly expansion?: number;
  readonly freely?: number;
}

const PARQUET_LIMITS: ParquetLimits = { values: 8e6, bytes: 1e9 };

/** A page of missing values alone has no bytes, and Node takes no limit of 0. */
const bounded = (
  decompress: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array,
) =>
(bytes: Uint8Array, length: number) => {
  if (length === 0) return new Uint8Array();
  return new Uint8Array(decompress(bytes, { maxOutputLength: length }));
};

const COMPRESSORS: Compressors = {
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
  ZSTD: bounded(zstdDecompressSync),
};

/** Times with all their digits. */
const EXACT_TIMES = {
  timestampFromMicroseconds: (micros: bigint) => timeText(micros, 1_000_000n),
  timestampFromNanoseconds: (nanos: bigint) => timeText(nanos, 1_000_000_000n),
};

/** Where the bytes lie: in memory, or in a file. */
interface Source {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Groups of a schema in one another; a list is two. */
const MOST_DEPTH = 200;
/** Longest footer, bytes. */
const MOST_FOOTER = 64e6;

export class ParquetFile {
  private constructor(
    readonly file: Source,
    readonly metadata: FileMetaData,
    /** Rows, as the footer says. */
    readonly rows: number,
    readonly columns: readonly string[],
  ) {}

  /** Reads the footer. Throws SyntaxError for a broken one, RangeError for one that is too much. */
  static async open(bytes: Uint8Array): Promise<ParquetFile> {
    const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    return await ParquetFile.of((whole ? bytes : bytes.slice()).buffer as ArrayBuffer);
  }

  /** Reads the footer of what may be a file of any size. */
  static async of(file: Source): Promise<ParquetFile> {
    const end = file.byteLength, tail = new DataView(await file.slice(Math.max(0, end - 8), end));
    if (tail.byteLength === 8 && tail.getUint32(4, true) === 0x31524150 && tail.getUint32(0, true) > MOST_FOOTER) {
      throw new RangeError(`its footer has ${tail.getUint32(0, true)} bytes, want at most ${MOST_FOOTER}`);
    }
    const metadata = await parquetMetadataAsync(file as ArrayBuffer).catch((cause) => {
      throw new SyntaxError(`it is no Parquet file, or its footer is damaged: ${messageOf(cause)}`, { cause });
    });
    if (!metadata.schema?.length) throw new SyntaxError("it is no Parquet file: its footer has no schema");
    if (depthOf(metadata.schema) > MOST_DEPTH) {
      throw new RangeError(`its schema has more than ${MOST_DEPTH} lists and groups in one another, want fewer`);
    }
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    return new ParquetFile(file, metadata, Number(metadata.num_rows), columns);
  }

  /** The rows of one row group after the other, decimals and times with all their digits. Throws RangeError, before it decodes a group, when that is too much. */
  async *groups(columns: readonly string[] = this.columns, limits = PARQUET_LIMITS): AsyncGenerator<Row[]> {
    const { file } = this, { metadata, convert } = exactDecimals(this.metadata);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      await this.#bound([group], Infinity, columns, limits);
      const rows = await parquetReadObjects({
        file: file as ArrayBuffer,
        metadata,
        compressors: COMPRESSORS,
        parsers: EXACT_TIMES,
        rowStart,
        rowEnd,
        columns: [...columns],
        // What no type says is a text stays bytes.
        utf8: false,
      });
      yield convert(rows);
      rowStart = rowEnd;
    }
  }

  /** The first `rowEnd` rows of some columns. Throws RangeError, before it decodes anything, when that is too much. */
  async read(
    rowEnd = this.rows,
    columns: readonly string[] = this.columns,
    limits: ParquetLimits = PARQUET_LIMITS,
  ): Promise<Row[]> {
    const { file, metadata } = this;
    await this.#bound(metadata.row_groups, rowEnd, columns, limits);
    return await parquetReadObjects({
      file: file as ArrayBuffer,
      metadata,
      compressors: COMPRESSORS,
      rowEnd,
      columns: [...columns],
    });
  }

  async #bound(
    groups: readonly RowGroup[],
    rowEnd: number,
    columns: readonly string[],
    limits: ParquetLimits,
  ): Promise<void> {
    const { expansion = 100, freely = 100e6 } = limits;
    let values = 0, bytes = 0, before = 0;
    for (const group of groups) {
      if (before >= rowEnd) break;
      const needed = rowEnd - before;
      before += Number(group.num_rows);
      for await (const page of pagesOf(group, columns, needed, this)) {
        values += page.values;
        bytes += page.bytes;
        const found = values > limits.values
          ? `it holds more than ${limits.values} values`
          : bytes > limits.bytes
          ? `it holds more than ${limits.bytes} bytes, decompressed`
          : bytes > freely && bytes > expansion * this.file.byteLength
          ? `it holds ${bytes} bytes, decompressed, more than ${expansion} for each that is in the file`
          : null;
        if (found === null) continue;
        throw new RangeError(`${found} in the columns that are read (${this.rows} rows), want fewer; make it smaller`);
      }
    }
  }
}

/** Groups in one another: a schema is a flat list in which each group says how many of what follows are its own. */
function depthOf(schema: readonly SchemaElement[]): number {
  let deepest = 0;
  const left: number[] = [];
  for (const { num_children = 0 } of schema) {
    while (left.at(-1) === 0) left.pop();
    if (left.length > 0) left.push(left.pop()! - 1);
    if (num_children > 0) left.push(num_children);
    deepest = Math.max(deepest, left.length);
  }
  return deepest;
}

/**
 * Values and bytes of each page that is decoded for the first `rows` of the group, by the pages' own headers; then what
 * its values repeat, which is looked up only when the page itself is not too much.
 */
async function* pagesOf(
  { columns }: RowGroup,
  wanted: readonly string[],
  rows: number,
  { file, metadata }: ParquetFile,
): AsyncGenerator<{ readonly values: number; readonly bytes: number }> {
  for (const { meta_data: chunk } of columns) {
    if (!chunk || !wanted.includes(chunk.path_in_schema[0]!)) continue;
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const from = Math.min(start, Number(chunk.data_page_offset));
    const end = from + Number(chunk.total_compressed_size);
    if (!(from >= 0 && end <= file.byteLength)) throw new RangeError("a column lies outside of the file");
    // Of a list nobody knows how many values a row has: all its pages are decoded.
    const isFlat = chunk.path_in_schema.length === 1;
    let count = 0;
    const bytes = await file.slice(from, end);
    const reader = { view: new DataView(bytes), offset: 0 };
    while (reader.offset < reader.view.byteLength - 1 && !(isFlat && count >= rows)) {
      const header = parquetHeader(reader);
      const counts = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
      if (!header.dictionary_page_header) count += Number(counts?.num_values ?? 0);
      yield { values: Number(counts?.num_values ?? 0), bytes: Number(header.uncompressed_page_size) };
      if (!(header.compressed_page_size >= 0)) throw new RangeError("a page has a negative size");
      if (reader.offset + header.compressed_page_size > bytes.byteLength) {
        throw new RangeError("a page lies outside of its column");
      }
      const page = new Uint8Array(bytes, reader.offset, header.compressed_page_size);
      yield { values: 0, bytes: prefixBytes(page, header, chunk, metadata.schema, COMPRESSORS) };
      reader.offset += header.compressed_page_size;
    }
  }
}
