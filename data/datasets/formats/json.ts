/** Reads JSON lines some at a time, and a list of JSON, which is held as a whole. @module */
import { decodeText, type Encoding } from "../text_encoding.ts";
import { chunksOfFile } from "../bytes_of_file.ts";
import type { DataFile, FileBatch } from "../data_file.ts";
import { shallow } from "../depth.ts";
import { LIMITS, megabytes } from "../limits.ts";
import { linesOfFile } from "../lines_of_file.ts";
import type { Row } from "../row_batch.ts";

export function openJsonLines(path: string, encoding: Encoding | undefined): Promise<DataFile> {
  const file: DataFile = {
    rows: null,
    types: null,
    batches: (columns) => jsonLines(path, encoding, columns),
    close() {},
  };
  return Promise.resolve(file);
}

async function* jsonLines(
  path: string,
  encoding: Encoding | undefined,
  wanted: readonly string[] | undefined,
): AsyncGenerator<FileBatch> {
  const names = new Set<string>();
  for await (const { lines: texts, first } of linesOfFile(path, encoding)) {
    const rows: Row[] = [], lines: number[] = [];
    texts.forEach((text, i) => {
      if (text.trim() === "") return;
      const read = objectOf(parsed(text, first + i), `line ${first + i}`);
      for (const name of Object.keys(read)) if (names.size < LIMITS.columns) names.add(name);
      rows.push(kept(read, wanted));
      lines.push(first + i);
    });
    if (rows.length > 0) yield { rows, columns: [...names], lines };
  }
}

function parsed(text: string, line: number): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw new SyntaxError(`line ${line} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

const LONG_NUMBER = /\d{16}/;

/** JSON whose whole numbers beyond 2^53 are texts with all their digits, as an answer is compared. */
function parseExactly(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const exact = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context!.source
      : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

function objectOf(row: unknown, place: string): Row {
  shallow(row, place);
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Row;
  throw new SyntaxError(`${place} is ${JSON.stringify(row).slice(0, 40)}, want an object`);
}

const kept = (row: Row, columns: readonly string[] | undefined): Row =>
  columns === undefined
    ? row
    : Object.fromEntries(columns.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));

export function openJsonList(path: string, encoding: Encoding | undefined): Promise<DataFile> {
  return Promise.resolve({
    rows: null,
    types: null,
    batches: (columns) => jsonList(path, encoding, columns),
    close() {},
  });
}

/** One list of objects. */
async function* jsonList(
  path: string,
  encoding: Encoding | undefined,
  wanted: readonly string[] | undefined,
): AsyncGenerator<FileBatch> {
  const list: unknown = parseExactly(decodeText(await whole(path), encoding ?? null));
  if (!Array.isArray(list)) {
    throw new SyntaxError("it holds no list, want a list of objects; one object a line is .jsonl");
  }
  const rows = list.map((row, index) => objectOf(row, `row ${index + 1}`));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, LIMITS.columns);
  yield { rows: rows.map((row) => kept(row, wanted)), columns };
}

async function whole(path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOfFile(path)) {
    length += chunk.length;
    if (length > LIMITS.bytes) {
      const most = megabytes(LIMITS.bytes);
      throw new RangeError(`a list of JSON is held as a whole, want at most ${most} MB; one object a line is .jsonl`);
    }
    parts.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
