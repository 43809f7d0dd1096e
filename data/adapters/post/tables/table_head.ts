/** What the columns of a table of a course are, by its head: one row, or a row of groups ("Train", "Eval") above it. @module */
import { metricName, scoreOf } from "./metric_name.ts";
import { isEpochHead, isStepHead } from "./step_head.ts";

/** Rows of such a table are runs, each with its number of steps. */
const RUN =
  /^(?:run|experiment|exp|trial|variant|model|config(?:uration)?|模型|实验|配置|方法|モデル|実験|모델|실험|modèle|Modell|modelo|модель)(?:[ _-]?(?:tag|name|id|名称?))?$/iu;
/** A group of columns that are measured on held-out rows. */
const HELD_OUT =
  /^(?:eval\w*|val(?:id\w*)?|test\w*|dev|held[- ]?out|évaluation|Validierung|evaluaci[oó]n|validaci[oó]n|avaliaç[aã]o|validaç[aã]o|валидаци\p{L}*|тест\p{L}*|验证集?|测试集?|评测|検証|評価|テスト|검증|평가)(?![\p{L}])/iu;
/** Remarks that set no column apart from another one: "(mean)", "(per token)". */
const SAME = /\((?:mean|avg|average|ema|smoothed|raw|per token|final|total|std|max|min)\)/gi;

interface Column {
  readonly head: string;
  /** The metric; null for one that is none, or that another column holds already. */
  readonly name: string | null;
  /** The metrics of a column that sets two numbers with a slash, "reward/kl". */
  readonly pair?: readonly [string, string];
  /** It holds what another column holds already, of another run or another reading. */
  readonly isSecond: boolean;
  /** What its numbers are to be multiplied by: "KL (×10⁻³)", "truncated (%)". */
  readonly scale: number;
}

/** Units of a column. */
const PERCENT = /[%％]\s*[)\]）]?$/,
  POWER = /[(\[（]\s*(?:[x×*]\s*)?(?:10\s?\^?\s?|1e)\s?([-−⁻]?)\s?([\d⁰¹²³⁴⁵⁶⁷⁸⁹])\s*[)\]）]$/i,
  THOUSANDS = /[(\[（]\s*k\s*[)\]）]$/i,
  SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function scaleOf(head: string): number {
  const text = head.trim(), [, sign, digit = ""] = POWER.exec(text) ?? [];
  if (digit === "") return PERCENT.test(text) ? 0.01 : THOUSANDS.test(text) ? 1000 : 1;
  const exponent = SUPERSCRIPTS.includes(digit) ? SUPERSCRIPTS.indexOf(digit) : Number(digit);
  return Number(`1e${sign === "" ? "" : "-"}${exponent}`);
}

export interface Head {
  readonly columns: readonly Column[];
  readonly stepAt: number;
  /** That column holds epochs, and there are no train steps. */
  readonly isEpoch: boolean;
  /** What stands between the cells of CSV. */
  readonly separator?: string;
}

/** `groups` are the cells of the row above, empty where there is none. */
export function headOf(cells: readonly string[], groups: readonly string[]): Head | null {
  const above = groups.length === cells.length ? filled(groups) : cells.map(() => "");
  const whole = cells.map((cell, i) => cell === "" ? above[i]! : cell);
  const steps = whole.findIndex(isStepHead),
    isEpoch = steps < 0,
    stepAt = isEpoch ? whole.findIndex(isEpochHead) : steps;
  if (stepAt < 0 || whole.some((cell) => RUN.test(cell))) return null;
  const seen = new Map<string, string>();
  const columns = whole.map((cell, i): Column => {
    const group = cell === above[i] ? "" : above[i]!, head = `${group} ${cell}`.trim();
    const scale = scaleOf(cell);
    if (i === stepAt) return { head, name: null, isSecond: false, scale };
    const read = HELD_OUT.test(group) ? metricName(head) : metricName(cell), pair = pairOf(cell);
    const own = head.replace(SAME, "").trim().toLowerCase();
    // Of several scores on held-out rows each is one of its own.
    const name = read === "eval_accuracy" && ![undefined, own].includes(seen.get(read)) ? scoreOf(own) : read,
      known = name === null ? undefined : seen.get(name);
    if (name !== null && known === undefined) seen.set(name, own);
    const column = {
      head,
      name: known === undefined ? name : null,
      isSecond: known !== undefined && (known !== own || whole.indexOf(cell) < i),
      scale,
    };
    return pair === null ? column : { ...column, pair };
  });
  return columns.some(({ name, pair }) => name !== null || pair !== undefined) ? { columns, stepAt, isEpoch } : null;
}

/** A group is written above the first of its columns. */
function filled(groups: readonly string[]): string[] {
  const all: string[] = [];
  for (const group of groups) all.push(group === "" ? all.at(-1) ?? "" : group);
  return all;
}

function pairOf(cell: string): readonly [string, string] | null {
  const parts = cell.split("/").map((part) => part.trim());
  if (parts.length !== 2) return null;
  const [first, second] = parts.map(metricName) as [string | null, string | null];
  return first !== null && second !== null && first !== second ? [first, second] : null;
}
