/** Reads the rows of a file of prompts: JSON lines, CSV or Parquet, by the ending of its name. @module */
import { parse } from "@deno/std/csv/parse.js";
import { basename } from "@deno/std/path/basename.js";
import { extname } from "@deno/std/path/extname.js";
import { type Compressors, parquetReadObjects } from "hyparquet";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

type Row = Record<string, unknown>;

const COMPRESSORS: Compressors = {
  GZIP: (bytes) => new Uint8Array(gunzipSync(bytes)),
  BROTLI: (bytes) => new Uint8Array(brotliDecompressSync(bytes)),
  ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
};

const READERS: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Row[] | Promise<Row[]>>> = {
  ".jsonl": (bytes) => jsonLines(utf8(bytes)),
  ".ndjson": (bytes) => jsonLines(utf8(bytes)),
  ".csv": (bytes) => csvRows(utf8(bytes), ","),
  ".tsv": (bytes) => csvRows(utf8(bytes), "\t"),
  ".parquet": async (bytes) => (await parquetReadObjects({ file: bytes.buffer, compressors: COMPRESSORS })).map(plain),
};

/**
 * Rows of a file as objects by column name. CSV needs a header line and gives texts; a byte order mark is skipped.
 * Throws RangeError for an unknown ending or a missing file, SyntaxError with the place for a file that is broken.
 */
export async function readRows(path: string): Promise<Row[]> {
  const name = basename(path) as string;
  const reader = READERS[(extname(path) as string).toLowerCase()];
  if (!reader) {
    throw new RangeError(`Cannot load prompts from ${name}: want a file ending in ${Object.keys(READERS).join(", ")}`);
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new RangeError(`Cannot load prompts from ${name}: there is no file ${path}`, { cause: error });
  }
  try {
    return await reader(bytes);
  } catch (error) {
    throw new SyntaxError(`Cannot load prompts from ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The text, without its byte order mark; broken UTF-8 is an error. */
function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function jsonLines(text: string): Row[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new SyntaxError(`line ${index + 1} is no JSON: ${(error as Error).message}`, { cause: error });
    }
    if (typeof row === "object" && row !== null && !Array.isArray(row)) return [row as Row];
    throw new SyntaxError(`line ${index + 1} is ${JSON.stringify(row).slice(0, 40)}, want an object`);
  });
}

function csvRows(text: string, separator: string): Row[] {
  const [header, ...lines] = parse(text, { separator, fieldsPerRecord: 0 }) as string[][];
  if (!header) return [];
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new SyntaxError(`the header names column "${twice}" twice`);
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])));
}

/** Parquet's 64-bit integers as numbers, where they fit. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
    ]),
  );
}
