/** A log as pieces: records and the text between them, in the layout in which they are printed again. @module */
import { type Cell, numberIn, printRecord, readDict, readVerl, type Style } from "./printed_record.ts";

/** A record with what stands before and behind it on its line. */
export interface RecordPiece {
  readonly cells: readonly Cell[];
  readonly style: Style;
  readonly before: string;
  readonly after: string;
}

/** A record, or a line of text. */
export type Piece = RecordPiece | string;

/** lines: a record per line, text between them. state: `log_history` of a trainer state. csv: a header, then rows. */
export interface Log {
  readonly layout: "lines" | "state" | "csv";
  readonly pieces: readonly Piece[];
  /** Of a trainer state: what stands before and behind its records. */
  readonly head: string;
  readonly tail: string;
  /** A comma behind each record's last value. */
  readonly trailing?: boolean;
  /** Spaces before each line. */
  readonly indent?: number;
}

export const isRecord = (piece: Piece): piece is RecordPiece => typeof piece !== "string";

/** The log in a text; null where it has no record. */
export function readLog(text: string, name: string): Log | null {
  const log = /"log_history"\s*:\s*\[/.test(text)
    ? readState(text)
    : /\.(csv|tsv)$/.test(name)
    ? readCsv(text)
    : { layout: "lines" as const, pieces: text.replace(/\n$/, "").split("\n").map(linePiece), head: "", tail: "" };
  return log !== null && log.pieces.some(isRecord) ? log : null;
}

function linePiece(line: string): Piece {
  const verlAt = line.search(/(?<![\w/])step:\d+ - /);
  if (verlAt >= 0) {
    const cells = readVerl(line.slice(verlAt));
    if (cells !== null) return { cells, style: "verl", before: line.slice(0, verlAt), after: "" };
  }
  const at = line.search(/\{\s*['"]/), found = at < 0 ? null : readDict(line, at);
  if (found === null || found.cells.length < 2 || !found.cells.some((cell) => numberIn(cell) !== null)) return line;
  const after = line.slice(found.end);
  // Two dicts on a line stay as they are.
  if (/\{\s*['"]/.test(after)) return line;
  const before = line.slice(0, at), data = nestedData(found.cells);
  if (data !== null) return { cells: data, style: "nested", before, after };
  return { cells: found.cells, style: line[at + 1] === "'" ? "python" : "json", before, after };
}

/** The step and the metrics of verl's file logger; null for any other dict. */
function nestedData(cells: readonly Cell[]): Cell[] | null {
  const [step, data] = cells;
  if (cells.length !== 2 || step!.key !== "step" || data!.key !== "data") return null;
  const inner = readDict(data!.value, 0);
  return inner === null ? null : [step!, ...inner.cells];
}

function readState(text: string): Log | null {
  const open = /"log_history"\s*:\s*\[/.exec(text)!, pieces: Piece[] = [];
  let at = open.index + open[0].length;
  for (let next = text.slice(at).search(/\S/); next >= 0 && text[at + next] !== "]";) {
    at += next;
    if (text[at] === ",") at++;
    else {
      const found = readDict(text, at);
      if (found === null) return null;
      pieces.push({ cells: found.cells, style: "json", before: "", after: "" });
      at = found.end;
    }
    next = text.slice(at).search(/\S/);
  }
  return {
    layout: "state",
    pieces,
    head: text.slice(0, open.index + open[0].length),
    tail: text.slice(at).trimStart(),
  };
}

function readCsv(text: string): Log | null {
  const [header = "", ...rows] = text.split(/\r?\n/).filter((line) => line !== ""), names = header.split(",");
  if (header.includes('"') || rows.some((row) => row.includes('"'))) return null;
  const pieces = rows.map((row): Piece => {
    const cells = row.split(",").map((value, i) => ({ key: names[i] ?? "", value, quoted: false }));
    return { cells: cells.filter(({ value }) => value !== ""), style: "json", before: "", after: "" };
  });
  return { layout: "csv", pieces, head: "", tail: "" };
}

/** The log's text. */
export function printLog(log: Log): string {
  const { layout, pieces, head, tail, trailing = false, indent = 0 } = log, space = " ".repeat(indent);
  const records = pieces.filter(isRecord);
  if (layout === "state") {
    const separator = `,\n${space}`;
    return `${head}\n${space}${
      records.map(({ cells }) => printRecord(cells, "json", trailing)).join(separator)
    }\n${tail}`;
  }
  if (layout === "csv") return printCsv(records);
  const lines = pieces.map((piece) =>
    isRecord(piece) ? piece.before + printRecord(piece.cells, piece.style, trailing) + piece.after : piece
  );
  return `${lines.map((line) => space + line).join("\n")}\n`;
}

function printCsv(records: readonly RecordPiece[]): string {
  const names = [...new Set(records.flatMap(({ cells }) => cells.map(({ key }) => key)))];
  const rows = records.map(({ cells }) => {
    const values = new Map(cells.map((cell) => [cell.key, cell.value === "None" ? "" : cell.value]));
    return names.map((name) => values.get(name) ?? "").join(",");
  });
  return `${[names.join(","), ...rows].join("\n")}\n`;
}

const has = (piece: RecordPiece, pattern: RegExp) => piece.cells.some(({ key }) => pattern.test(key));

/** A record of training: no evaluation, no summary of the run, no settings. */
export function isTraining(piece: Piece): piece is RecordPiece {
  if (!isRecord(piece) || has(piece, /^(train_runtime|max_steps|hidden_size|vocab_size)$/)) return false;
  return has(piece, /^(loss|reward|grad_norm)$|^(rewards|actor|critic|response_length)\//) ||
    !has(piece, /^(eval|val)/);
}
