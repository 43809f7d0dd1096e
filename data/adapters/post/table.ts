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
import { isEpochHead, isStepHead, metricName } from "./metric_name.ts";
import { writtenNumber } from "./numbers.ts";
import { commitCourse } from "./step_line.ts";

const MAX_CELLS = 60;
/** A number of a cell, the marks and few words around it left out. */
const NUMBER = "[-+−]?(?:\\d{1,3}(?:[, ]\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*[%％]?";
const CELL = new RegExp(
  `^[^\\d.+−-]{0,10}?(${NUMBER})(?:\\s*(→|->|=>|-|–|~|～|to|到)\\s*[^\\d.+−-]{0,6}(${NUMBER}))?\\s*(?:\\(.*\\)|（.*）|←.*|/.*|[^\\d]{0,14})$`,
  "u",
);
/** Rows of such a table are runs, each with its number of steps. */
const RUN =
  /^(?:run|experiment|exp|trial|variant|model|config(?:uration)?|模型|实验|配置|方法|モデル|実験|모델|실험|modèle|Modell|modelo|модель)(?:[ _-]?(?:tag|name|id|名称?))?$/iu;
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

interface Head {
  /** The metric of each column, null for one that is none. */
  readonly names: readonly (string | null)[];
  readonly stepAt: number;
  /** That column holds epochs, and there are no train steps. */
  readonly isEpoch: boolean;
  /** What stands between the cells of CSV. */
  readonly separator?: string;
}

function headOf(cells: readonly string[]): Head | null {
  const steps = cells.findIndex(isStepHead),
    isEpoch = steps < 0,
    stepAt = isEpoch ? cells.findIndex(isEpochHead) : steps;
  if (stepAt < 0 || cells.some((cell) => RUN.test(cell))) return null;
  const names = cells.map((cell, i) => i === stepAt ? null : metricName(cell));
  return names.some((name) => name !== null) ? { names, stepAt, isEpoch } : null;
}

/** The number of a cell; null where it has none. */
function numberOf(cell: string): { readonly value: number; readonly decimals: number } | null {
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
  #last = -1;

  constructor(private readonly intake: Intake) {}

  /** True where the line is the head, the rule or a row of a table of a course. */
  line({ text, number }: Line): boolean {
    if (text.length > 4000) return this.#close();
    if (this.#head !== null && /^[\s|:+=-]+$/.test(text) && /[-=]{2}/.test(text)) return true;
    if (this.#head?.separator !== undefined) {
      const row = splitRow(text, this.#head.separator) ?? [];
      if (row.length === this.#head.names.length && this.#row(row.map((cell) => cell.trim()), number, this.#head)) {
        return true;
      }
    }
    const csv = csvHead(text);
    if (csv !== null) {
      [this.#head, this.#last] = [headOf(csv.cells), -1];
      if (this.#head !== null) this.#head = { ...this.#head, separator: csv.separator };
      return this.#head !== null;
    }
    const cells = cellsOf(text);
    if (cells === null) return this.#close();
    const head = cells.some((cell) => numberOf(cell) !== null && !/^\w+@\d+$/.test(cell)) ? null : headOf(cells);
    if (head !== null) {
      [this.#head, this.#last] = [head, -1];
      return true;
    }
    return this.#head !== null && (this.#row(cells, number, this.#head) || this.#close());
  }

  end(): void {
    this.#head = null;
  }

  #close(): false {
    this.#head = null;
    return false;
  }

  #row(cells: readonly string[], line: number, { names, stepAt, isEpoch }: Head): boolean {
    const { stage } = this.intake;
    const epoch = isEpoch ? numberOf(cells[stepAt] ?? "")?.value ?? null : null;
    const at = epoch !== null
      ? [`${epoch}`, `${epoch}`]
      : /^\D{0,8}?(\d[\d,]*)(?:\s*(?:-|–|~|to)\s*(\d[\d,]*))?(?:\s*k)?\D*$/i.exec(cells[stepAt] ?? "");
    if (at === null) return false;
    const cell = cells[stepAt]!, isOpen = /\d\s*\+/.test(cell); // "300+"
    const step = epoch ??
      Number((at[2] ?? at[1]!).replaceAll(",", "")) * (/k\D*$/i.test(cell) ? 1000 : 1) + (isOpen ? 1 : 0);
    // Rows of several runs have a number of steps each.
    if (step <= this.#last) return false;
    this.#last = step;
    stage.reset();
    names.forEach((name, i) => {
      const found = name === null ? null : numberOf(cells[i] ?? "");
      if (found !== null) stage.add(stage.info(name!), found.value, found.decimals);
    });
    return stage.count === 0 || commitCourse(this.intake, line, isEpoch ? NaN : step, epoch ?? undefined);
  }
}
