/** Reads the rows of a file: JSON lines, JSON, CSV or Parquet, by the ending of its name, within limits. @module */
import { parse } from "@deno/std/csv/parse.js";
import { basename } from "@deno/std/path/basename.js";
import { extname } from "@deno/std/path/extname.js";
import { notAFile } from "../../file_system.ts";
import { ParquetFile } from "../../parquet_file.ts";
import { columnsOf, isObject } from "./cells.ts";
import { decodeText, type Encoding } from "./text_encoding.ts";

type Row = Record<string, unknown>;

/** The rows with the columns that are wanted, and the names of all columns. */
export interface FileRows {
  readonly rows: readonly Readonly<Row>[];
  readonly columns: readonly string[];
  /** Of JSON lines: the line of each row, from 1. */
  readonly lines?: readonly number[];
}

export interface ReadOptions {
  /** What the rows are, for errors; prompts by default. */
  readonly what?: string;
  /** Columns to keep, a dotted path as the column that it leads into; all by default. */
  readonly columns?: readonly string[];
  /** Of a text; UTF-8 by default, or what a byte order mark says. */
  readonly encoding?: Encoding | undefined;
}

/** A file is held in memory: what is larger is refused before it is read. */
export const LIMITS = {
  bytes: 500e6,
  /** A line of JSON, bytes: an image in it may be large, a prompt is not. */
  line: 16e6,
  rows: 2e6,
  /** Names of columns that are collected. */
  columns: 10_000,
} as const;

type Reader = (bytes: Uint8Array<ArrayBuffer>, options: ReadOptions) => FileRows | Promise<FileRows>;

const READERS: Readonly<Record<string, Reader>> = {
  ".jsonl": jsonLines,
  ".ndjson": jsonLines,
  ".json": jsonArray,
  ".csv": (bytes, options) => csvRows(bytes, ",", options),
  ".tsv": (bytes, options) => csvRows(bytes, "\t", options),
  ".parquet": parquetRows,
};

/**
 * Rows of a file as objects by column name. CSV needs a header line and gives texts; a byte order mark is skipped.
 * Throws RangeError for an unknown ending, a missing file or one that is too large, SyntaxError with the place for one that is
 * broken.
 */
export async function readRows(path: string, options: ReadOptions = {}): Promise<FileRows> {
  const name = basename(path) as string, what = options.what ?? "prompts";
  const fail = (problem: string, cause?: unknown): never => {
    throw new RangeError(`Cannot load ${what} from ${name}: ${problem}`, { cause });
  };
  const reader = READERS[(extname(path) as string).toLowerCase()] ??
    fail(`want a file ending in ${Object.keys(READERS).join(", ")}`);
  const info = await Deno.stat(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return fail(`there is no file ${path}`, error);
  });
  const kind = notAFile(info);
  if (kind !== null) fail(`it is ${kind}, want a file`);
  if (info.size > LIMITS.bytes) fail(`it has ${megabytes(info.size)} MB, want at most ${megabytes(LIMITS.bytes)} MB`);
  const bytes = await Deno.readFile(path);
  const columns = options.columns?.flatMap(columnsOf);
  try {
    return await reader(bytes, { ...options, ...(columns && { columns }) });
  } catch (error) {
    throw new SyntaxError(`Cannot load ${what} from ${name}: ${(error as Error).message}`, { cause: error });
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);

function jsonLines(bytes: Uint8Array, { columns, encoding }: ReadOptions): FileRows {
  const rows: Row[] = [], names = new Set<string>(), lines: number[] = [];
  let number = 0;
  for (const line of linesOf(bytes, encoding)) {
    number++;
    if (line.trim() === "") continue;
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new SyntaxError(`line ${number} is no JSON: ${(error as Error).message}`, { cause: error });
    }
    const read = objectOf(row, `line ${number}`);
    if (rows.length >= LIMITS.rows) throw new RangeError(`it has more than ${LIMITS.rows} rows`);
    for (const name of Object.keys(read)) if (names.size < LIMITS.columns) names.add(name);
    rows.push(kept(read, columns));
    lines.push(number);
  }
  return { rows, columns: [...names], lines };
}

function objectOf(row: unknown, place: string): Row {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Row;
  throw new SyntaxError(`${place} is ${JSON.stringify(row).slice(0, 40)}, want an object`);
}

const kept = (row: Row, columns: readonly string[] | undefined): Row =>
  columns === undefined
    ? row
    : Object.fromEntries(columns.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));

/** One list of objects. */
function jsonArray(bytes: Uint8Array, { columns, encoding }: ReadOptions): FileRows {
  const list: unknown = JSON.parse(decodeText(bytes, encoding ?? null));
  if (!Array.isArray(list)) {
    throw new SyntaxError("it holds no list, want a list of objects; one object a line is .jsonl");
  }
  if (list.length > LIMITS.rows) throw new RangeError(`it has ${list.length} rows, want at most ${LIMITS.rows}`);
  const rows = list.map((row, index) => objectOf(row, `row ${index + 1}`));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return { rows: rows.map((row) => kept(row, columns)), columns: [...names].slice(0, LIMITS.columns) };
}

/** Lines as text, one at a time; the length of each is looked at before it becomes one. */
function* linesOf(bytes: Uint8Array, encoding: Encoding | undefined): Generator<string> {
  if (encoding !== undefined && encoding !== "utf-8" || bytes[0]! >= 0xfe) {
    yield* decodeText(bytes, encoding ?? null).split("\n");
    return;
  }
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const found = bytes.indexOf(10, from), end = found < 0 ? bytes.length : found;
    if (end - from > LIMITS.line) {
      throw new RangeError(
        `line ${number} has ${megabytes(end - from)} MB, want at most ${
          megabytes(LIMITS.line)
        } MB; one row is one line`,
      );
    }
    const line = bytes.subarray(from, end);
    try {
      yield UTF8.decode(line);
    } catch {
      decodeText(bytes, encoding ?? null); // says where and what it may be
    }
    from = end + 1;
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function csvRows(bytes: Uint8Array, usual: string, { columns, encoding }: ReadOptions): FileRows {
  const text = decodeText(bytes, encoding ?? null), separator = separatorOf(text, usual);
  refuseOpenCells(text, separator);
  const [header, ...lines] = parse(text, { separator, fieldsPerRecord: 0 }) as string[][];
  if (!header) return { rows: [], columns: [] };
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new SyntaxError(`the header names column "${twice}" twice`);
  if (lines.length > LIMITS.rows) throw new RangeError(`it has ${lines.length} rows, want at most ${LIMITS.rows}`);
  const kept = header.map((name, i) => [name, i] as const).filter(([name]) => columns?.includes(name) ?? true);
  return { rows: lines.map((cells) => Object.fromEntries(kept.map(([name, i]) => [name, cells[i]]))), columns: header };
}

/** A quote that is never closed makes one cell of all that follows: it is looked for before a cell is made. */
function refuseOpenCells(text: string, separator: string): void {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const begins = at === 0 || text[at - 1] === separator || text[at - 1] === "\n";
    const from = at++;
    if (!begins) continue;
    let end = text.indexOf('"', at);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    const most = megabytes(LIMITS.line);
    const problem = end < 0
      ? 'does not end, want a closing "'
      : end - from > LIMITS.line
      ? `has ${megabytes(end - from)} MB, want at most ${most} MB up to its closing "`
      : null;
    if (problem !== null) {
      const number = text.slice(0, from).split("\n").length;
      throw new SyntaxError(`the quoted cell that begins on line ${number} ${problem}`);
    }
    at = end + 1;
  }
}

/** The usual one where the header has it; else the one it has most often (a spreadsheet in Europe writes ";"). */
function separatorOf(text: string, usual: string): string {
  const header = text.slice(0, /[\r\n]|$/.exec(text)!.index).replaceAll(/"[^"]*"/g, "");
  const count = (separator: string) => header.split(separator).length;
  if (count(usual) > 1) return usual;
  return [usual, ",", ";", "\t", "|"].reduce((best, other) => count(other) > count(best) ? other : best);
}

async function parquetRows(bytes: Uint8Array<ArrayBuffer>, { columns }: ReadOptions): Promise<FileRows> {
  const file = await ParquetFile.open(bytes);
  if (file.rows > LIMITS.rows) throw new RangeError(`it has ${file.rows} rows, want at most ${LIMITS.rows}`);
  const kept = file.columns.filter((name) => columns?.includes(name) ?? true);
  return { rows: kept.length === 0 ? [] : (await file.read(file.rows, kept)).map(plain), columns: file.columns };
}

/** Parquet's 64-bit integers as numbers, where they fit. */
function plain(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Array.isArray(value) ? value.map(plainValue) : isObject(value) ? plain(value) : value;
}
