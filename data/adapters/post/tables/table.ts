/**
 * Tables of a course as people set them: pipes, tabs, wide spaces, slashes or commas, heads in any language, figures with
 * their marks.
 *
 * A table whose rows are other runs or models is no course: without a column of train steps nothing is read here. @module
 */
import { splitRow } from "../../csv.ts";
import type { Intake } from "../../intake/intake.ts";
import { ALL_DIGITS } from "../../intake/stage.ts";
import type { Line } from "../../source/lines.ts";
import { alignedCells, type CellSpan, spansOf } from "./aligned_cells.ts";
import { csvHead } from "./csv_head.ts";
import { metricName } from "./metric_name.ts";
import { writtenNumber } from "../numbers/numbers.ts";
import { stepOfCell } from "./step_head.ts";
import { commitCourse } from "../blocks/step_line.ts";
import { type Head, headOf } from "./table_head.ts";
import { TurnedTable } from "./turned_table.ts";

const MAX_CELLS = 60;
/** A number of a cell, the marks and few words around it left out. */
const NUMBER = "[-+−]?(?:\\d{1,3}(?:[, ]\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*[%％]?";
const CELL = new RegExp(
  `^[^\\d.+−-]{0,10}?(${NUMBER})(?:\\s*(→|->|=>|-|–|~|～|to|到)\\s*[^\\d.+−-]{0,6}(${NUMBER}))?\\s*(?:\\(.*\\)|（.*）|←.*|/.*|(?:±|\\+\\s?/?\\s?-)\\s*[\\d.,]+\\s*[%％]?|[^\\d]{0,14})$`,
  "u",
);
/** "12/64": so many of so many. */
const SHARE = /^\s*(\d{1,6})\s*\/\s*(\d{1,6})\s*$/, LEAST_WHOLE = 4;
/** Two numbers of a column that sets two metrics. */
const PAIR = new RegExp(`^(${NUMBER})\\s*/\\s*(${NUMBER})$`, "u");
const EMPTY = /^(?:[-–—/.…]*|n\/?a|none|null)$/i;
const UNREAD = 0.5; // Of its filled cells: a column is not read.
const LEAST = 3; // Values of a column that are a course.
/** Columns that say nothing of how well a run does. */
const NO_RESULT =
  /time|sec|\bs\/it|it\/s|speed|throughput|tok|mem|gi?b\b|gpu|cpu|lr|rate\b(?!.*(?:error|win|pass|success))|epoch|step|samples?|batch|eta|date|elapsed|hours?|cost|size|seen|cum|时间|耗时|显存|速度|学习率|用时|内存|時間|시간|Zeit|temps|durée|tiempo|tempo|врем/i;
const FRAMED = /^\s*\|.*\|\s*$/;
const NOT_A_NUMBER = /^[-+]?(?:nan|inf(?:inity)?)$/i;

function cellsOf(text: string): string[] | null {
  const line = text.trim();
  const parts = line.includes("|")
    ? line.replace(/^\||\|$/g, "").split("|")
    : line.includes("\t")
    ? line.split("\t")
    : /\s\/\s/.test(line) && !/\s{2,}\S.*\s{2,}/.test(line)
    ? line.split(/\s+\/\s+/)
    : line.split(/\s{2,}|\s*…\s*/);
  const cells = parts.map((cell) => cell.trim().replaceAll("**", "").replaceAll("`", ""));
  return cells.length < 2 || cells.length > MAX_CELLS ? null : cells;
}

/** Its comma is that of decimals: "0,235", "1,38". */
const COMMA = /^[^\d]{0,10}(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?!\d|,\d)/;

const hasComma = (cells: readonly string[]) =>
  cells.some((cell) => COMMA.test(cell)) && !cells.some((cell) => /\d\.\d/.test(cell));

/** The number of a cell, null where it has none; `comma` of a table whose commas are those of decimals. */
function numberOf(whole: string, comma = false): { readonly value: number; readonly decimals: number } | null {
  const cell = comma ? whole.replace(/(?<![\d,])(\d{1,3}),(?=\d{3}(?![\d,]))/g, "$1.") : whole;
  if (NOT_A_NUMBER.test(cell)) {
    return { value: /nan/i.test(cell) ? NaN : cell.startsWith("-") ? -Infinity : Infinity, decimals: ALL_DIGITS };
  }
  const [, part, of] = SHARE.exec(cell) ?? [];
  if (part !== undefined && Number(of) >= Math.max(Number(part), LEAST_WHOLE)) {
    return { value: Number(part) / Number(of), decimals: ALL_DIGITS };
  }
  const found = CELL.exec(cell);
  if (found === null) return null;
  const [, from, sign, until] = found as unknown as [string, string, string?, string?];
  const first = writtenNumber(from), last = until === undefined ? first : writtenNumber(until);
  // Of a range the middle, of a course its end.
  const isRange = sign !== undefined && /[-–~～]/.test(sign) && sign !== "->";
  const value = isRange ? (first.value + last.value) / 2 : last.value, { decimals } = last;
  return { value: /\d\s*[kK]\s*$/.test(cell) ? value * 1000 : value, decimals: decimals === 0 ? ALL_DIGITS : decimals };
}

/** Reads the lines of one table after another. */
export class TableReader {
  #head: Head | null = null;
  #turned: TurnedTable | null = null;
  #headLine = 0;
  #rows: Row[] = [];
  /** The cells of the rows that were committed last. */
  #cells: readonly (readonly string[])[] = [];
  /** The cells of the line before, which may be groups of columns. */
  #groups: readonly string[] = [];
  /** Filled cells of each column, and those that were read. */
  #filled: number[] = [];
  #read: number[] = [];
  #comma = false;
  /** Where the heads stand in a table that is set by spaces. */
  #spans: readonly CellSpan[] | null = null;
  /** The head ends with a pipe: a row that does not is cut in its last cell. */
  #isFramed = false;

  constructor(private readonly intake: Intake) {}

  /** True where the line is the head, the rule or a row of a table of a course. */
  line({ text, number }: Line): boolean {
    if (text.length > 4000) return this.#close();
    const isRule = /^[\s|:+=-]+$/.test(text) && /[-=]{2}/.test(text);
    const isOpen = this.#head !== null || this.#turned !== null;
    if (isRule && (isOpen || this.#groups.length > 0)) return isOpen;
    if (this.#head?.separator !== undefined) {
      const row = splitRow(text, this.#head.separator) ?? [];
      if (row.length === this.#head.columns.length) {
        const cells = row.map((cell) => cell.trim()), isSet = !/\s/.test(cells[this.#head.stepAt]!);
        return this.#row(cells, number, this.#head, isSet) || this.#close();
      }
    }
    const csv = csvHead(text);
    if (csv !== null) {
      const head = headOf(csv.cells, []);
      return head !== null ? this.#open({ ...head, separator: csv.separator }, number) : this.#close();
    }
    const cells = cellsOf(text);
    if (cells === null) return this.#close();
    const turned = this.#head === null ? TurnedTable.at(this.intake, cells) : null;
    if (turned !== null) {
      this.#close();
      this.#turned = turned;
      return true;
    }
    if (this.#turned !== null) {
      this.#comma ||= hasComma(cells);
      return this.#turned.row(cells, number, (cell) => EMPTY.test(cell) ? null : numberOf(cell, this.#comma));
    }
    // "vs 30K" is a head, "~10" a figure.
    const isFigure = (cell: string) => /^[^\p{L}]*[\d.]/u.test(cell) && numberOf(cell) !== null;
    const isText = !cells.some((cell) => isFigure(cell) && metricName(cell) === null);
    const head = isText ? headOf(cells, this.#groups) : null;
    if (head !== null) {
      this.#isFramed = FRAMED.test(text);
      this.#open(head, number);
      this.#spans = /[|\t]/.test(text) ? null : spansOf(text);
      return true;
    }
    if (this.#head !== null) {
      if (this.#spans?.length === this.#head.columns.length && cells.length < this.#spans.length) {
        const row = alignedCells(text, this.#spans);
        return row !== null && this.#row(row, number, this.#head, false) || this.#close();
      }
      const whole = this.#isFramed && !FRAMED.test(text) ? cells.slice(0, -1) : cells;
      const isSet = text.includes("|") && cells.length === this.#head.columns.length;
      return this.#row(whole, number, this.#head, isSet) || this.#close();
    }
    this.#groups = isText ? cells : [];
    return false;
  }

  end(): void {
    this.#close();
  }

  #open(head: Head, number: number): true {
    this.#commit();
    this.#report();
    [this.#head, this.#headLine, this.#groups] = [head, number, []];
    this.#spans = null;
    this.#comma = false;
    this.#filled = head.columns.map(() => 0);
    this.#read = head.columns.map(() => 0);
    return true;
  }

  #close(): false {
    this.#commit();
    this.#report();
    this.#turned?.end();
    this.#turned = null;
    this.#comma = false;
    this.#isFramed = false;
    this.#head = null;
    this.#groups = [];
    return false;
  }

  /** Says which columns were not read: what they hold is no part of the verdict. */
  #report(): void {
    this.#head?.columns.forEach(({ head, name, pair, isSecond }, i) => {
      if (i === this.#head!.stepAt || this.#filled[i]! === 0) return;
      const isMetric = name !== null || pair !== undefined;
      if (isMetric && this.#read[i]! > UNREAD * this.#filled[i]! || !isMetric && this.#read[i] === 0) return;
      const shown = head.slice(0, 60);
      this.intake.skip(
        this.#headLine,
        isSecond
          ? `column "${shown}" of a table not read: another column holds this metric already`
          : `column "${shown}" of a table not read`,
      );
      const isResult = isMetric || isSecond || !NO_RESULT.test(head) && this.#runsOff(i);
      if (isResult) this.intake.message("unread_column", `column ${i + 1}`, null, this.#headLine);
    });
    this.#filled = [];
  }

  /** The numbers of a column end far from where they began: whatever it is, the run has changed it. */
  #runsOff(column: number): boolean {
    const values = this.#cells.flatMap((cells) => numberOf(cells[column] ?? "", this.#comma)?.value ?? []);
    const [first = 0, last = 0] = [values[0], values.at(-1)], size = Math.max(Math.abs(first), Math.abs(last));
    return values.length >= LEAST && Math.abs(last - first) > size / 2;
  }

  /** Takes a row; one of a table that is set as such (`isSet`) is no end of it where it has no train step. */
  #row(cells: readonly string[], line: number, { columns, stepAt, isEpoch }: Head, isSet: boolean): boolean {
    const epoch = isEpoch ? numberOf(cells[stepAt] ?? "")?.value ?? null : null;
    const step = epoch ?? stepOfCell(cells[stepAt] ?? "");
    if (step === null && !isSet) return false;
    // Between the head and the first train step stand units: "[0-1]", "tokens".
    if (step === null && this.#rows.length === 0) return true;
    this.#comma ||= hasComma(cells);
    let words = "", count = 0;
    columns.forEach(({ name, pair }, i) => {
      const text = cells[i] ?? "";
      const isRead = pair !== undefined && PAIR.test(text) || i !== stepAt && numberOf(text, this.#comma) !== null;
      if (!EMPTY.test(text)) this.#filled[i]!++;
      if (isRead) this.#read[i]!++;
      else if (i !== stepAt) words += text;
      if (isRead && (name !== null || pair !== undefined)) count++;
    });
    const scale = isEpoch ? 1 : columns[stepAt]!.scale;
    if (count > 0) this.#rows.push({ line, step: isEpoch ? NaN : scale * (step ?? NaN), epoch, cells, words });
    else if (step === null && !cells.every((cell) => EMPTY.test(cell) || /^:?-+:?$/.test(cell))) {
      this.intake.skip(line, "row of a table without a train step");
    }
    return true;
  }

  /** Takes the rows in the order of the run: newest first is turned; rows that are other runs are left where they begin. */
  #commit(): void {
    const rows = this.#rows, at = ({ step, epoch }: Row) => epoch ?? step;
    this.#rows = [];
    this.#cells = rows.map(({ cells }) => cells);
    const numbered = rows.filter((row) => !Number.isNaN(at(row)));
    const isTurned = numbered.length > 2 && numbered.every((row, i) => i === 0 || at(row) < at(numbered[i - 1]!));
    // Rows that each have words of their own are runs, with the number of steps of each.
    const isOfRuns = !isTurned && new Set(rows.map(({ words }) => words)).size > 1;
    let last = -1;
    for (const row of isTurned ? rows.reverse() : rows) {
      if (at(row) <= last && isOfRuns) {
        return this.intake.skip(row.line, "rows of a table of train steps not read: they are other runs");
      }
      if (at(row) > last) last = at(row);
      this.intake.stage.reset();
      this.#stage(row.cells);
      commitCourse(this.intake, row.line, row.step, row.epoch ?? undefined);
    }
  }

  /** The figures of a row: what its commas are, the whole table has told by now. */
  #stage(cells: readonly string[]): void {
    const { columns, stepAt } = this.#head!;
    columns.forEach(({ name, pair, scale }, i) => {
      const text = cells[i] ?? "", two = pair === undefined ? null : PAIR.exec(text);
      const found = two === null && i !== stepAt ? numberOf(text, this.#comma) : null;
      if (two !== null) pair!.forEach((one, k) => this.#add(one, numberOf(two[k + 1]!)!, 1));
      else if (found !== null && name !== null) this.#add(name, found, /[%％]/.test(text) ? 1 : scale);
    });
  }

  #add(name: string, { value, decimals }: { readonly value: number; readonly decimals: number }, scale: number): void {
    const { stage } = this.intake, isScaled = scale !== 1;
    stage.add(
      stage.info(name),
      isScaled ? Number((value * scale).toPrecision(15)) : value,
      isScaled ? ALL_DIGITS : decimals,
    );
  }
}

/** A row that was read, until the table is over. */
interface Row {
  readonly line: number;
  /** NaN where none is named. */
  readonly step: number;
  readonly epoch: number | null;
  readonly cells: readonly string[];
  /** What its cells hold that is no number. */
  readonly words: string;
}
