/**
 * Tables of a course as people set them: pipes, tabs, wide spaces, slashes or commas, heads in any language, figures with
 * their marks.
 *
 * A table whose rows are other runs or models is no course: without a column of train steps nothing is read here. @module
 */
import { splitRow } from "../csv.ts";
import type { Intake } from "../intake/intake.ts";
import { ALL_DIGITS } from "../intake/stage.ts";
import type { Line } from "../source/lines.ts";
import { csvHead } from "./csv_head.ts";
import { metricName } from "./metric_name.ts";
import { writtenNumber } from "./numbers.ts";
import { stepOfCell } from "./step_head.ts";
import { commitCourse } from "./step_line.ts";
import { type Head, headOf } from "./table_head.ts";
import { TurnedTable } from "./turned_table.ts";

const MAX_CELLS = 60;
/** A number of a cell, the marks and few words around it left out. */
const NUMBER = "[-+−]?(?:\\d{1,3}(?:[, ]\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*[%％]?";
const CELL = new RegExp(
  `^[^\\d.+−-]{0,10}?(${NUMBER})(?:\\s*(→|->|=>|-|–|~|～|to|到)\\s*[^\\d.+−-]{0,6}(${NUMBER}))?\\s*(?:\\(.*\\)|（.*）|←.*|/.*|(?:±|\\+\\s?/?\\s?-)\\s*[\\d.,]+\\s*[%％]?|[^\\d]{0,14})$`,
  "u",
);
/** Two numbers of a column that sets two metrics. */
const PAIR = new RegExp(`^(${NUMBER})\\s*/\\s*(${NUMBER})$`, "u");
const EMPTY = /^(?:[-–—/.…]*|n\/?a|none|null)$/i;
const UNREAD = 0.5; // Of its filled cells: a column is not read.
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
  if (NOT_A_NUMBER.test(cell)) return { value: /nan/i.test(cell) ? NaN : Infinity, decimals: ALL_DIGITS };
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
  #last = -1;
  /** The cells of the line before, which may be groups of columns. */
  #groups: readonly string[] = [];
  /** Filled cells of each column, and those that were read. */
  #filled: number[] = [];
  #read: number[] = [];
  #comma = false;
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
      if (row.length === this.#head.columns.length && this.#row(row.map((cell) => cell.trim()), number, this.#head)) {
        return true;
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
    const isText = !cells.some((cell) => numberOf(cell) !== null && metricName(cell) === null);
    const head = isText ? headOf(cells, this.#groups) : null;
    if (head !== null) {
      this.#isFramed = FRAMED.test(text);
      return this.#open(head, number);
    }
    if (this.#head !== null) {
      const whole = this.#isFramed && !FRAMED.test(text) ? cells.slice(0, -1) : cells;
      return this.#row(whole, number, this.#head) || this.#close();
    }
    this.#groups = isText ? cells : [];
    return false;
  }

  end(): void {
    this.#close();
  }

  #open(head: Head, number: number): true {
    this.#report();
    [this.#head, this.#headLine, this.#last, this.#groups] = [head, number, -1, []];
    this.#comma = false;
    this.#filled = head.columns.map(() => 0);
    this.#read = head.columns.map(() => 0);
    return true;
  }

  #close(): false {
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
      if (isMetric || isSecond) this.intake.message("unread_column", `column ${i + 1}`, null, this.#headLine);
    });
    this.#filled = [];
  }

  #row(cells: readonly string[], line: number, { columns, stepAt, isEpoch }: Head): boolean {
    const { stage } = this.intake;
    const epoch = isEpoch ? numberOf(cells[stepAt] ?? "")?.value ?? null : null;
    const step = epoch ?? stepOfCell(cells[stepAt] ?? "");
    if (step === null) return false;
    // Rows of several runs have a number of steps each.
    if (step <= this.#last) return false;
    this.#last = step;
    this.#comma ||= hasComma(cells);
    stage.reset();
    columns.forEach(({ name, pair }, i) => {
      const text = cells[i] ?? "", two = pair === undefined ? null : PAIR.exec(text);
      const found = two === null ? numberOf(text, this.#comma) : null;
      if (!EMPTY.test(text)) this.#filled[i]!++;
      if (found !== null || two !== null) this.#read[i]!++;
      if (two !== null) pair!.forEach((one, k) => this.#add(one, numberOf(two[k + 1]!)!));
      else if (found !== null && name !== null) this.#add(name, found);
    });
    return stage.count === 0 || commitCourse(this.intake, line, isEpoch ? NaN : step, epoch ?? undefined);
  }

  #add(name: string, { value, decimals }: { readonly value: number; readonly decimals: number }): void {
    const { stage } = this.intake;
    stage.add(stage.info(name), value, decimals);
  }
}
