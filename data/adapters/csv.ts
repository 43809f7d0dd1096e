/** CSV and TSV with a header: exports of trackers, metrics by the row, or completions by the row. @module */
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows, ownTable } from "./intake/own_table.ts";
import { nameInfo } from "./intake/name_info.ts";
import { eachLine, type Line } from "./source/lines.ts";
import { CommaNumbers } from "./source/comma_numbers.ts";
import { wholeNumber } from "./source/scan_number.ts";

const MAX_NAMED = 5; // Columns that come again.
const MAX_COLUMNS = 20_000; // Columns looked at; the rest is counted.

/** Cells of one row; null where a quoted cell is still open. */
export function splitRow(line: string, separator: string, limit = MAX_COLUMNS): string[] | null {
  if (!line.includes('"')) return line.split(separator, limit);
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length && cells.length < limit) {
    if (line[at] === '"') {
      let text = "";
      for (at++;; at++) {
        const end = line.indexOf('"', at);
        if (end < 0) return null;
        text += line.slice(at, end);
        at = end + 1;
        if (line[at] !== '"') break;
        text += '"';
      }
      cells.push(text);
      const next = line.indexOf(separator, at);
      at = next < 0 ? line.length + 1 : next + 1;
    } else {
      const next = line.indexOf(separator, at);
      cells.push(line.slice(at, next < 0 ? line.length : next));
      at = next < 0 ? line.length + 1 : next + 1;
    }
  }
  return cells;
}

/** W&B exports call a column `run name - reward` and add `…__MIN` and `…__MAX`. */
export function headerName(cell: string): string {
  return cell.trim().replace(/^.* - (?=\S+$)/, "");
}

export function separatorOf(header: string): string | null {
  const count = (separator: string) => header.split(separator, 200).length;
  const best = [",", "\t", ";"].reduce((a, b) => count(b) > count(a) ? b : a);
  return count(best) > 1 ? best : null;
}

export const CSV: Adapter = {
  about: "CSV and TSV with a header: tracker exports, metrics or completions by the row, tables of our runs",
  sniff({ name }, text) {
    if (text === null) return 0;
    const header = text.split("\n", 1)[0]!.replace(/\r$/, ""), separator = separatorOf(header);
    if (separator === null || /[{}:=|]/.test(header.slice(0, 200).replace(/".*?"/g, ""))) return 0;
    const cells = (splitRow(header.slice(0, 20_000), separator) ?? []).slice(0, 500).map(headerName);
    if (ownTable(cells) !== null) return 0.97;
    if (cells.length < 2 || cells.some((cell) => /^-?[\d.]+$/.test(cell))) return 0;
    const infos = cells.map(nameInfo);
    const known = infos.filter((info) => info.mapped || info.isStep).length;
    const completions = isCompletions(cells);
    if (/\.(csv|tsv)$/.test(name)) return known > 0 || completions ? 0.9 : 0.3;
    return known >= 2 && cells.every((cell) => cell.length < 80) ? 0.6 : 0;
  },
  async read(source: Source, intake: Intake) {
    let rows: Rows | null = null;
    const take = (line: Line): false | void => {
      const text = line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text;
      if (text.trim() === "") return;
      if (rows === null) return void (rows = openRows(text, line.number, intake));
      const cells = splitRow(text, rows.separator);
      if (!line.ended) {
        const cut = cells === null
          ? "a row cut inside a quoted cell"
          : "the last cell of a file that ends without a line break";
        intake.skip(line.number, cut);
      }
      if (cells === null) return false;
      rows.add(line.ended ? cells : cells.slice(0, -1), line);
    };
    await eachLine(source, intake, take, { kind: "row" });
    (rows as Rows | null)?.end?.();
  },
};

/** What the header says that the rows below it are. */
interface Rows {
  readonly separator: string;
  /** Cells of one row, without a last one that may be cut. */
  add(cells: readonly string[], line: Line): void;
  end?(): void;
}

function openRows(header: string, number: number, intake: Intake): Rows {
  const separator = separatorOf(header) ?? ",", total = header.split(separator).length;
  if (total > MAX_COLUMNS) intake.skip(number, `${total - MAX_COLUMNS} columns of ${total}: more than ${MAX_COLUMNS}`);
  const names = (splitRow(header, separator) ?? header.split(separator, MAX_COLUMNS)).map(headerName);
  const own = OwnRows.of(names);
  if (own !== null) return { separator, add: ownRow(names, own), end: () => own.finish(intake) };
  const again = [...new Set(names.filter((name, i) => name !== "" && names.indexOf(name) < i))];
  for (const name of again.slice(0, MAX_NAMED)) {
    intake.skip(number, `column "${name.slice(0, 60)}" comes again: only the first one is read`);
  }
  return { separator, add: isCompletions(names) ? completionRow(names, intake) : metricRow(names, separator, intake) };
}

function isCompletions(names: readonly string[]): boolean {
  const probe: Record<string, unknown> = Object.create(null);
  for (const name of names) probe[name] = "";
  return hasCompletion(probe);
}

function ownRow(names: readonly string[], own: OwnRows): Rows["add"] {
  return (cells, { ended }) => {
    // An empty cell is absent; a completion may be an empty text.
    const cell = (name: string, i: number) => cells[i] === "" && name !== "text" ? null : cells[i];
    if (ended) own.add(Object.fromEntries(names.map((name, i) => [name, cell(name, i)])));
  };
}

function completionRow(names: readonly string[], intake: Intake): Rows["add"] {
  const rows = new CompletionRows(intake, NaN);
  return (cells, { number, ended }) => {
    const row: Record<string, unknown> = Object.create(null);
    cells.slice(0, names.length).forEach((text, i) => row[names[i]!] = text === "" ? null : wholeNumber(text) ?? text);
    if (ended && hasCompletion(row)) rows.add(row, number);
  };
}

function metricRow(names: readonly string[], separator: string, intake: Intake): Rows["add"] {
  const { stage } = intake, commas = new CommaNumbers(separator);
  return (cells, { number }) => {
    stage.reset();
    commas.look(cells);
    for (let i = 0; i < cells.length && i < names.length; i++) {
      const text = cells[i]!.trim(), name = names[i]!;
      if (text === "" || name === "" || name.endsWith("__MIN") || name.endsWith("__MAX")) continue;
      const value = wholeNumber(text) ?? commas.read(text);
      if (value !== null || /^(None|null)$/i.test(text)) stage.put(name, value);
    }
    if (stage.count > 0) intake.commitRow(number);
  };
}
