/**
 * CSV and TSV with a header: exports of trackers, metrics by the row, or completions by the row.
 * @module
 */
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows, ownTable } from "./intake/own_table.ts";
import { nameInfo } from "./intake/name_info.ts";
import { numberScan, scanNumber } from "./source/scan_number.ts";
import { encodingOf, textChunks } from "./source/text.ts";

/** Columns looked at; the rest is counted. */
const MAX_COLUMNS = 20_000;
const MAX_LINE = 1 << 25;

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
function headerName(cell: string): string {
  return cell.trim().replace(/^.* - (?=\S+$)/, "");
}

function separatorOf(header: string): string | null {
  const count = (separator: string) => header.split(separator, 200).length;
  const best = [",", "\t", ";"].reduce((a, b) => count(b) > count(a) ? b : a);
  return count(best) > 1 ? best : null;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return (end < 0 ? text : text.slice(0, end)).replace(/\r$/, "");
}

export const CSV: Adapter = {
  about: "CSV and TSV with a header: tracker exports, metrics or completions by the row, tables of our runs",
  sniff({ name }, text) {
    if (text === null) return 0;
    const header = firstLine(text), separator = separatorOf(header);
    if (separator === null || /[{}:=|]/.test(header.slice(0, 200).replace(/".*?"/g, ""))) return 0;
    const cells = (splitRow(header.slice(0, 20_000), separator) ?? []).slice(0, 500).map(headerName);
    if (ownTable(cells) !== null) return 0.97;
    if (cells.length < 2 || cells.some((cell) => /^-?[\d.]+$/.test(cell))) return 0;
    const infos = cells.map(nameInfo);
    const known = infos.filter((info) => info.mapped || info.isStep).length;
    const completions = hasCompletion(Object.fromEntries(cells.map((cell) => [cell, ""])));
    if (/\.(csv|tsv)$/.test(name)) return known > 0 || completions ? 0.9 : 0.3;
    return known >= 2 && cells.every((cell) => cell.length < 80) ? 0.6 : 0;
  },
  async read(source: Source, intake: Intake) {
    const record = intake.source, { stage } = intake, scan = numberScan();
    let separator = ",", names: string[] | null = null, rows: CompletionRows | null = null;
    let own: OwnRows | null = null;
    let held = "", number = 0, open = 0;

    const header = (line: string) => {
      separator = separatorOf(line) ?? ",";
      const total = line.split(separator).length;
      if (total > MAX_COLUMNS) {
        intake.skip(number, `${total - MAX_COLUMNS} columns of ${total}: more than ${MAX_COLUMNS}`);
      }
      names = (splitRow(line, separator) ?? line.split(separator, MAX_COLUMNS)).map(headerName);
      const table = ownTable(names);
      if (table !== null) own = new OwnRows(table, names);
      const probe: Record<string, unknown> = Object.create(null);
      for (const name of names) probe[name] = "";
      if (hasCompletion(probe)) rows = new CompletionRows(intake, NaN);
    };
    const row = (cells: string[], ended: boolean) => {
      const whole = ended ? cells.length : cells.length - 1;
      if (!ended) intake.skip(number, "the last cell of a file that ends without a line break");
      if (own !== null) {
        // An empty cell is absent; a completion may be an empty text.
        const cell = (name: string, i: number) => cells[i] === "" && name !== "text" ? null : cells[i];
        if (ended) own.add(Object.fromEntries(names!.map((name, i) => [name, cell(name, i)])));
        return;
      }
      if (rows !== null) {
        const object: Record<string, unknown> = Object.create(null);
        for (let i = 0; i < whole && i < names!.length; i++) {
          const text = cells[i]!;
          object[names![i]!] = scanNumber(text, 0, scan) && scan.end === text.length
            ? scan.value
            : text === ""
            ? null
            : text;
        }
        if (ended && hasCompletion(object)) rows.add(object, number);
        return;
      }
      stage.reset();
      for (let i = 0; i < whole && i < names!.length; i++) {
        const text = cells[i]!.trim(), name = names![i]!;
        if (text === "" || name === "" || name.endsWith("__MIN") || name.endsWith("__MAX")) continue;
        if (scanNumber(text, 0, scan) && scan.end === text.length) stage.add(stage.names.get(name), scan.value, -1, 0);
        else if (/^(None|null)$/i.test(text)) stage.add(stage.names.get(name), NaN, -2, 0);
      }
      if (stage.count > 0 && !intake.commit({ line: number, metrics: true })) {
        intake.skip(number, "a row without a known metric");
      }
    };
    const take = (line: string, ended: boolean): boolean => {
      if (line.endsWith("\r")) line = line.slice(0, -1);
      number++;
      if (line.trim() === "") return true;
      if (names === null) {
        header(line);
        return true;
      }
      const cells = splitRow(line, separator);
      if (cells === null) return false;
      row(cells, ended);
      return true;
    };
    const count = async function* () {
      for await (const chunk of source.chunks()) {
        record.bytes_read += chunk.length;
        yield chunk;
      }
    };
    for await (const piece of textChunks(count(), encodingOf(source.head))) {
      held += piece;
      let from = 0;
      for (let end = held.indexOf("\n", open); end >= 0; end = held.indexOf("\n", end + 1)) {
        if (take(held.slice(from, end), true)) from = end + 1;
        else number--; // a quoted cell with a line break in it
      }
      held = held.slice(from);
      open = held.length;
      if (held.length > MAX_LINE) {
        intake.skip(number + 1, `a row longer than ${MAX_LINE} characters`);
        [held, open] = ["", 0];
      }
    }
    if (held !== "" && !take(held, false)) intake.skip(number, "a row cut inside a quoted cell");
    (own as OwnRows | null)?.finish(intake);
  },
};
