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
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { prefixBytes } from "./parquet_prefixes.ts";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

type Row = Record<string, unknown>;

interface ParquetLimits {
  /** Values of all columns that are read, together. */
  readonly values: number;
  /** Bytes of all their pages, decompressed. */
  readonly bytes: number;
}

const PARQUET_LIMITS: ParquetLimits = { values: 8e6, bytes: 1e9 };

const COMPRESSORS: Compressors = {
  GZIP: (bytes, length) => new Uint8Array(gunzipSync(bytes, { maxOutputLength: length })),
  BROTLI: (bytes, length) => new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength: length })),
  ZSTD: (bytes, length) => new Uint8Array(zstdDecompressSync(bytes, { maxOutputLength: length })),
};

export class ParquetFile {
  private constructor(
    readonly file: ArrayBuffer,
    readonly metadata: FileMetaData,
    /** Rows, as the footer says. */
    readonly rows: number,
    readonly columns: readonly string[],
  ) {}

  /** Reads the footer. Throws what the library throws for a broken file. */
  static async open(bytes: Uint8Array): Promise<ParquetFile> {
    const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    const file = (whole ? bytes : bytes.slice()).buffer as ArrayBuffer;
    const metadata = await parquetMetadataAsync(file);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    return new ParquetFile(file, metadata, Number(metadata.num_rows), columns);
  }

  /** The first `rowEnd` rows of some columns. Throws RangeError, before it decodes anything, when that is too much. */
  async read(
    rowEnd = this.rows,
    columns: readonly string[] = this.columns,
    limits: ParquetLimits = PARQUET_LIMITS,
  ): Promise<Row[]> {
    this.#bound(rowEnd, columns, limits);
    const { file, metadata } = this;
    return await parquetReadObjects({ file, metadata, compressors: COMPRESSORS, rowEnd, columns: [...columns] });
  }

  #bound(rowEnd: number, columns: readonly string[], limits: ParquetLimits): void {
    let values = 0, bytes = 0, before = 0;
    for (const group of this.metadata.row_groups) {
      if (before >= rowEnd) break;
      const needed = rowEnd - before;
      before += Number(group.num_rows);
      for (const page of pagesOf(group, columns, needed, this)) {
        values += page.values;
        bytes += page.bytes;
        const found = values > limits.values
          ? `it holds more than ${limits.values} values`
          : bytes > limits.bytes
          ? `it holds more than ${limits.bytes} bytes, decompressed`
          : null;
        if (found === null) continue;
        throw new RangeError(`${found} in the columns that are read (${this.rows} rows), want fewer; make it smaller`);
      }
    }
  }
}

/**
 * Values and bytes of each page that is decoded for the first `rows` of the group, by the pages' own headers; then what
 * its values repeat, which is looked up only when the page itself is not too much.
 */
function* pagesOf(
  { columns }: RowGroup,
  wanted: readonly string[],
  rows: number,
  { file, metadata }: ParquetFile,
): Generator<{ readonly values: number; readonly bytes: number }> {
  for (const { meta_data: chunk } of columns) {
    if (!chunk || !wanted.includes(chunk.path_in_schema[0]!)) continue;
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const from = Math.min(start, Number(chunk.data_page_offset));
    const end = from + Number(chunk.total_compressed_size);
    if (!(from >= 0 && end <= file.byteLength)) throw new RangeError("a column lies outside of the file");
    // Of a list nobody knows how many values a row has: all its pages are decoded.
    const isFlat = chunk.path_in_schema.length === 1;
    let count = 0;
    const reader = { view: new DataView(file, from, end - from), offset: 0 };
    while (reader.offset < reader.view.byteLength - 1 && !(isFlat && count >= rows)) {
      const header = parquetHeader(reader);
      const counts = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
      if (!header.dictionary_page_header) count += Number(counts?.num_values ?? 0);
      yield { values: Number(counts?.num_values ?? 0), bytes: Number(header.uncompressed_page_size) };
      if (!(header.compressed_page_size >= 0)) throw new RangeError("a page has a negative size");
      const at = from + reader.offset;
      if (at + header.compressed_page_size > end) throw new RangeError("a page lies outside of its column");
      const page = new Uint8Array(file, at, header.compressed_page_size);
      yield { values: 0, bytes: prefixBytes(page, header, chunk, metadata.schema, COMPRESSORS) };
      reader.offset += header.compressed_page_size;
    }
  }
}
