/**
 * Tables whose rows or columns are runs: a learning rate, a seed or a name each, and what they came to. They are no course
 * of one run: each is read as what its writer would say, "lr 1e-4; reward 0; kl 45". @module
 */
import type { Line } from "../../source/lines.ts";
import { metricName } from "../tables/metric_name.ts";
import { labelOf, type RunLabel } from "./run_labels.ts";
import { isEpochHead, isStepHead } from "../tables/step_head.ts";

/** The head of a column that tells runs apart: an option, a seed, a name. */
const APART =
  /^(?:(?:actor |policy |peak |max )?(?:lr|learning[ _]rate)|beta|β|kl[ _](?:coef\w*|beta|weight|penalty)|temp(?:erature)?|top[ _-]?[pk]|(?:micro |global |train )?batch(?:[ _]size)?|num[ _]generations|group(?:[ _]size)?|G|(?:lora[ _])?(?:rank|r|alpha|dropout)|epsilon|clip(?:[ _](?:range|ratio|low|high))?|max[ _](?:length|tokens|new_tokens|completion_length|grad_norm)|warm-?up(?:[ _](?:steps|ratio))?|optimi[sz]er|scheduler|dtype|precision|weight[ _]decay|(?:random )?seeds?|runs?|exp(?:eriment)?s?|trials?|configs?|configurations?|settings?|variants?|setups?|ablations?|Lernrate|Temperatur|Lauf|Einstellung|graine|configuration|essai|taux d'apprentissage|semilla|configuraci[oó]n|ejecuci[oó]n|tasa de aprendizaje|configuraç[aã]o|execuç[aã]o|taxa de aprendizado|сид|запуск|настройк\p{L}+|скорость обучения|学习率|随机种子|种子|温度|批大小|组大小|配置|实验|设置|参数|学習率|シード|設定|実験|학습률|시드|설정|실험)(?:\s*[(（][^)）]*[)）])?$/iu;
const ROW = /^\s*\|.*\|\s*$/, RULE = /^[\s|:+=-]+$/;
const MAX_LINE = 2000, MAX_ROWS = 60, LEAST = 2; // Characters, rows, and runs of a table.

interface Table {
  readonly head: readonly string[];
  /** Runs stand side by side, and a row is a metric. */
  readonly isTurned: boolean;
}

const cellsOf = (text: string) =>
  text.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim().replaceAll("**", "").replaceAll("`", ""));

/** What a row of cells is the head of; null where it is none of such a table. */
function tableOf(head: readonly string[]): Table | null {
  const [first = "", ...rest] = head;
  if (rest.length === 0 || head.some((cell) => isStepHead(cell) || isEpochHead(cell))) return null;
  if (APART.test(first)) return rest.some((cell) => metricName(cell) !== null) ? { head, isTurned: false } : null;
  const labels = rest.map((cell) => labelOf(cell, null));
  const isTurned = (first === "" || /^(?:metrics?|指标|Metrik|métrique|métrica|метрика|指標|지표)$/iu.test(first)) &&
    rest.length >= LEAST && labels.every((label) => label !== null && label.kind === labels[0]!.kind);
  return isTurned ? { head, isTurned } : null;
}

export class RunTable {
  #table: Table | null = null;
  #lines: Line[] = [];

  /** `read` takes a run as a sentence, `pass` the lines of a table that is none of these. */
  constructor(
    private readonly read: (line: Line, label: RunLabel) => void,
    private readonly pass: (line: Line) => void,
  ) {}

  /** True of a line that waits for the rest of its table. */
  take(line: Line): boolean {
    const isRow = line.text.length <= MAX_LINE && ROW.test(line.text) && this.#lines.length < MAX_ROWS;
    if (!isRow) {
      this.end();
      return false;
    }
    if (this.#table === null) this.#table = tableOf(cellsOf(line.text));
    if (this.#table === null) return false;
    this.#lines.push(line);
    return true;
  }

  end(): void {
    const table = this.#table, lines = this.#lines;
    if (table === null) return;
    this.#table = null;
    this.#lines = [];
    const rows = lines.slice(1).filter(({ text }) => !RULE.test(text)).map((line) => ({
      line,
      cells: cellsOf(line.text),
    }));
    const runs = runsOf(table, rows);
    if (new Set(runs.map(({ name }) => name)).size < Math.max(LEAST, runs.length)) return lines.forEach(this.pass);
    const own = runs.map(({ head, name }) => labelOf(`${head} ${name}`.trim(), null) ?? labelOf(name, null));
    const isNamed = own.every((label) => label !== null && label.kind === own[0]!.kind);
    runs.forEach(({ line, head, name, text }, i) =>
      this.read({ ...line, text }, isNamed ? own[i]! : { ...UNNAMED, kind: `row ${head}`, value: name.toLowerCase() })
    );
  }
}

const UNNAMED = { isRepeat: false, isFurther: false, end: 0 };

interface Row {
  readonly line: Line;
  readonly cells: readonly string[];
}

/** Each run with its name and what is said of it. */
function runsOf({ head, isTurned }: Table, rows: readonly Row[]) {
  const [first = "", ...rest] = head;
  if (!isTurned) {
    return rows.map(({ line, cells }) => ({
      line,
      head: first,
      name: cells[0] ?? "",
      text: head.flatMap((one, i) => said(one, cells[i])).join("; "),
    }));
  }
  return rest.map((name, i) => ({
    line: rows[0]?.line ?? { text: "", number: 1, ended: true },
    head: "",
    name,
    text: [name, ...rows.flatMap(({ cells }) => said(cells[0] ?? "", cells[i + 1]))].join("; "),
  }));
}

const said = (head: string, cell: string | undefined) =>
  cell === undefined || cell === "" || head === "" ? [] : [`${head} ${cell}`];
