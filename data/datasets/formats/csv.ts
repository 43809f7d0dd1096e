/** Reads CSV and TSV some records at a time. @module */
import { parse } from "@deno/std/csv/parse.js";
import type { Encoding } from "../text_encoding.ts";
import type { DataFile, FileBatch } from "../data_file.ts";
import { LIMITS, megabytes } from "../limits.ts";
import { linesOfFile } from "../lines_of_file.ts";

/** A reader of texts with a header line, whose usual separator this is. */
export const openSeparated = (usual: string) => (path: string, encoding: Encoding | undefined): Promise<DataFile> =>
  Promise.resolve({
    rows: null,
    types: null,
    batches: (columns) => separated(path, encoding, usual, columns),
    close() {},
  });

/** Characters of records that are parsed together. */
const BATCH = 1 << 20;

/** Whole records as they stand, one text, with the line at which each begins. */
interface Records {
  readonly text: string;
  readonly lines: readonly number[];
}

async function* separated(
  path: string,
  encoding: Encoding | undefined,
  usual: string,
  wanted: readonly string[] | undefined,
): AsyncGenerator<FileBatch> {
  let header: readonly string[] | null = null, separator = usual;
  const choose = (line: string) => separator = separatorOf(line, usual);
  for await (const { text, lines } of recordsOf(path, encoding, choose)) {
    const cells: string[][] = parsed(text, separator, header?.length ?? 0, lines[0]!);
    const isFirst: boolean = header === null;
    header ??= named(cells.shift()!);
    const kept = header.map((name, i) => [name, i] as const).filter(([name]) => wanted?.includes(name) ?? true);
    const rows = cells.map((row) => Object.fromEntries(kept.map(([name, i]) => [name, row[i]])));
    yield { rows, columns: header, lines: lines.slice(isFirst ? 1 : 0) };
  }
}

/** The cells of records. Errors of the parser count lines from the text's first. */
function parsed(text: string, separator: string, fields: number, first: number): string[][] {
  try {
    return parse(text, { separator, fieldsPerRecord: fields }) as string[][];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = error.message.replaceAll(/line (\d+)/g, (_, line) => `line ${Number(line) + first - 1}`);
    throw new SyntaxError(message, { cause: error });
  }
}

function named(header: readonly string[]): readonly string[] {
  if (header.length > LIMITS.columns) {
    throw new RangeError(`it has ${header.length} columns, want at most ${LIMITS.columns}`);
  }
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new SyntaxError(`the header names column "${twice}" twice`);
  return header;
}

async function* recordsOf(
  path: string,
  encoding: Encoding | undefined,
  choose: (header: string) => string,
): AsyncGenerator<Records> {
  let text = "", begun: number[] = [], separator: string | null = null;
  /** Line and characters of a record whose quoted cell goes on. */
  let open: number | null = null, length = 0;
  for await (const { lines, first } of linesOfFile(path, encoding)) {
    for (const [i, line] of lines.entries()) {
      if (separator === null && /\r[^\r]/.test(line)) {
        throw new SyntaxError(
          "its lines end in a carriage return alone, want a line feed; save it with Unix line ends",
        );
      }
      separator ??= choose(line);
      if (open === null && line.trim() !== "") begun.push(first + i);
      const goesOn = endsInQuotes(line, separator, open !== null);
      length = goesOn && open !== null ? length + line.length + 1 : line.length;
      open = goesOn ? open ?? first + i : null;
      if (open !== null && length > LIMITS.line) {
        const most = megabytes(LIMITS.line);
        throw new SyntaxError(
          `the quoted cell that begins on line ${open} has ${
            megabytes(length)
          } MB, want at most ${most} MB up to its ` +
            'closing "',
        );
      }
      if (begun.length > 0) text += `${line}\n`;
    }
    if (open === null && text.length > BATCH) {
      yield { text, lines: begun };
      [text, begun] = ["", []];
    }
  }
  if (open !== null) {
    throw new SyntaxError(`the quoted cell that begins on line ${open} does not end, want a closing "`);
  }
  if (begun.length > 0) yield { text, lines: begun };
}

/** Whether a quoted cell is open at the end of a line. A quote opens one only where a cell begins. */
function endsInQuotes(line: string, separator: string, open: boolean): boolean {
  for (let at = 0;;) {
    if (open || line[at] === '"') {
      let end = line.indexOf('"', open ? at : at + 1);
      while (end >= 0 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
      if (end < 0) return true;
      open = false;
      at = end + 1;
    }
    const next = line.indexOf(separator, at);
    if (next < 0) return false;
    at = next + 1;
  }
}

/** The usual one where the header has it; else the one it has most often (a spreadsheet in Europe writes ";"). */
function separatorOf(line: string, usual: string): string {
  const header = line.replaceAll(/"[^"]*"/g, ""), count = (separator: string) => header.split(separator).length;
  if (count(usual) > 1) return usual;
  return [usual, ",", ";", "\t", "|"].reduce((best, other) => count(other) > count(best) ? other : best);
}
