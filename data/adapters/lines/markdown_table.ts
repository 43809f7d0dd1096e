/**
 * Tables as notebooks and issues show them: `Step | Training Loss | reward | …`, also transposed, also tab-separated.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import type { NameInfo } from "../intake/name_info.ts";
import { ALL_DIGITS } from "../intake/stage.ts";
import type { Line } from "../source/lines.ts";
import { numberScan, scanNumber } from "../source/scan_number.ts";
import type { LineFormat, LineReader } from "./line_format.ts";

const RULE = /^[\s|:+-]+$/;
/** A line without one of these heads no table. */
const HEADS = [
  ...["step", "iter", "window", "metric", "reward", "loss"],
  ...["指标", "指標", "项", "項", "지표", "항목", "métri", "Metrik", "метрик", "показател"],
];
const HEADER = new RegExp(HEADS.join("|"), "i");
const STEP = /^(global[_ ])?(step|iter(ation)?)s?( range)?$|^(step )?window$/i;
const NUMBERED_STEP = /^(?:step|iter(?:ation)?)[ _]*(\d+)$/i;
/** Heads of a table of names and values, in the languages of reports. */
const METRIC =
  /^(?:metric|name|key|quantity|指标|名称|项目?|メトリクス|指標|項目|지표|항목|métrique|Metrik|métrica|метрика|показатель)s?$/i;
const VALUE = /^(?:value|mean|result|结果|数值|值|値|結果|값|결과|valeur|Wert|valor|значение)s?$/i;
/** Rows of such a table are runs, each with its number of steps. */
const RUN = /^(?:run|experiment|exp|trial|variant|model|config(?:uration)?)(?:[ _-]?(?:tag|name|id))?$/i;
const MAX_CELLS = 5000;

type Cell = { readonly value: number; readonly decimals: number } | null;

/** Cells between pipes, tabs, or (where `spaced`) two spaces and more. */
function cellsOf(text: string, spaced: boolean): string[] | null {
  const tab = !text.includes("|") && text.includes("\t");
  if (!tab && !text.includes("|")) {
    if (!spaced || !/^\s*(step\s{2,}|-?\d)/i.test(text)) return null;
    return text.trim().split(/^\s*step\s/i.test(text) ? /\s{2,}/ : /\s+/, MAX_CELLS);
  }
  let body = text.trim();
  if (!tab) {
    if (body.startsWith("|")) body = body.slice(1);
    if (body.endsWith("|")) body = body.slice(0, -1);
  }
  const cells = body.split(tab ? "\t" : "|");
  return cells.length > MAX_CELLS ? null : cells.map((cell) => cell.trim().replaceAll("**", "").replaceAll("`", ""));
}

const scan = numberScan();

function numberIn(cell: string): Cell {
  const text = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell) ? cell.replaceAll(",", "") : cell;
  if (!scanNumber(text, 0, scan) || scan.end !== text.length) return null;
  return { value: scan.value, decimals: scan.decimals === 0 ? ALL_DIGITS : scan.decimals };
}

/** The steps over the columns of a transposed table, NaN where its one column has none; null where it is none. */
function stepsAcross(cells: readonly string[], numbers: readonly Cell[]): number[] | null {
  const heads = cells.slice(1).map((cell) => NUMBERED_STEP.exec(cell));
  if (heads.every((head) => head !== null)) return heads.map((head) => Number(head[1]));
  const rest = numbers.slice(1);
  if (STEP.test(cells[0]!) && rest.length > 1 && rest.every((found) => found !== null)) {
    return rest.map(({ value }) => value);
  }
  const isPair = cells.length === 2 && METRIC.test(cells[0]!);
  return isPair && VALUE.test(cells[1]!) ? [NaN] : null;
}

export const MARKDOWN_TABLE: LineFormat = {
  about: "Step | Training Loss | reward (notebooks, Unsloth, issues), upright or transposed",
  words: HEADS,
  open: (intake) => new TableReader(intake),
};

class TableReader implements LineReader {
  /** An upright table is open: its columns. */
  #header: { readonly infos: readonly NameInfo[]; readonly stepAt: number; readonly spaced: boolean } | null = null;
  /** A transposed table is open: its rows so far. */
  #transposed: { readonly steps: readonly number[]; readonly rows: TransposedRow[] } | null = null;

  constructor(private readonly intake: Intake) {}

  get isOpen(): boolean {
    return this.#header !== null || this.#transposed !== null;
  }

  line({ text, number, ended }: Line): boolean {
    const { isOpen } = this;
    if (!isOpen && (text.length > 20_000 || !HEADER.test(text))) return false;
    const cells = cellsOf(text, this.#header?.spaced ?? true);
    if (cells === null || cells.length < 2) {
      if (text.trim() !== "") this.end();
      return false;
    }
    if (RULE.test(text) && text.includes("--")) return isOpen;
    const numbers = cells.map(numberIn), steps = stepsAcross(cells, numbers);
    if (steps !== null) {
      this.end();
      this.#transposed = { steps, rows: [] };
      return true;
    }
    if (this.#opens(text, cells, numbers)) return true;
    if (this.#transposed !== null) return this.#transposedRow(cells[0]!, numbers.slice(1), number, ended);
    const whole = ended || text.trimEnd().endsWith("|");
    return this.#header !== null && this.#row(cells, numbers, number, whole);
  }

  /** The table ends: a transposed one has its records only now. */
  end(): void {
    const { steps, rows } = this.#transposed ?? { steps: [], rows: [] };
    this.#header = this.#transposed = null;
    if (rows.length === 0) return;
    const { stage } = this.intake;
    steps.forEach((step, j) => {
      stage.reset();
      for (const { info, numbers } of rows) {
        const found = numbers[j] ?? null;
        if (found !== null) stage.add(info, found.value, found.decimals);
      }
      if (stage.count === 0) return;
      this.intake.commit({ line: rows[0]!.line, step: Number.isNaN(step) ? undefined : step, metrics: true });
    });
  }

  /** Does the line head an upright table? */
  #opens(text: string, cells: readonly string[], numbers: readonly Cell[]): boolean {
    if (numbers.some((found) => found !== null) || cells.some((cell) => RUN.test(cell))) return false;
    const infos = cells.map((cell) => this.intake.stage.info(cell)),
      stepAt = cells.findIndex((cell) => STEP.test(cell));
    const known = infos.filter((info) => info.mapped).length;
    if (stepAt >= 0 ? known === 0 : known < 2 || known * 2 < cells.length) return false;
    this.end();
    this.#header = { infos, stepAt, spaced: !text.includes("|") && !text.includes("\t") };
    return true;
  }

  #transposedRow(name: string, numbers: readonly Cell[], line: number, ended: boolean): boolean {
    if (name === "" || numbers.every((found) => found === null)) {
      this.end();
      return false;
    }
    // The last cell of a file that ends without a line break may be cut.
    this.#transposed!.rows.push({
      info: this.intake.stage.info(name),
      numbers: ended ? numbers : numbers.slice(0, -1),
      line,
    });
    return true;
  }

  #row(cells: readonly string[], numbers: readonly Cell[], line: number, whole: boolean): boolean {
    const { infos, stepAt } = this.#header!, { stage } = this.intake;
    // A table of window means (`1-50`): the window's last step.
    const window = /^(\d+)\s*(?:-|–|to)\s*(\d+)$/.exec(cells[stepAt] ?? "");
    const step = window === null ? numbers[stepAt]?.value : Number(window[2]);
    if (stepAt >= 0 && step === undefined || cells.length > infos.length + 1) return false;
    stage.reset();
    if (!whole) this.intake.skip(line, "the last cell of a table that ends without a line break");
    (whole ? numbers : numbers.slice(0, -1)).forEach((found, i) => {
      if (found !== null && i !== stepAt && i < infos.length) stage.add(infos[i]!, found.value, found.decimals);
    });
    return stage.count === 0 || this.intake.commit({ line, step, metrics: true });
  }
}

interface TransposedRow {
  readonly info: NameInfo;
  readonly numbers: readonly Cell[];
  readonly line: number;
}
