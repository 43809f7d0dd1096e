/** Tables of scores by model: what the tuned model lost against the one that it was made from. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";
import { mentionsIn } from "../mentions.ts";
import { writtenNumber } from "../numbers/numbers.ts";
import type { SubjectName } from "../words/subjects.ts";

const BASE =
  /(?<![\p{L}])(?:base(?:line)?|original|pre-?trained|vanilla|before|untuned|avant|vor(?:her)?|antes|до|исходн\p{L}*|базов\p{L}*)(?![\p{L}])|原(?:始|模型|版)|基座|底座|微调前|训练前|ベース|学習前|元モデル|기존|원본|학습\s?전/iu;
const TUNED =
  /(?<![\p{L}])(?:sft|dpo|kto|orpo|simpo|grpo|ppo|rloo|dapo|rlhf|rft|rl|fine-?tun\p{L}*|tuned|lora|qlora|after|ours?|trained|ft|après|nach(?:her)?|después|depois|после)(?![\p{L}])|微调(?:后|模型)|训练后|学習後|ファインチューニング|파인튜닝|학습\s?후/iu;
/** Columns that are no scores, or better where they are lower. */
const NO_SCORE =
  /loss|ppl|perplexity|time|latenc|param|reward(?! acc)|奖励|報酬|보상|récompense|recompensa|Belohnung|наград|epoch|rank|lr|rate|step|error|wer|损失|困惑|错误|時間|시간/i;
const SCORE = /^[^\d.+-]{0,3}(\d+(?:[.,]\d+)?)\s*[%％]?(?:\s*\(.*\))?$/u;
const LOST = 0.15, LEAST = 3; // Share of a score that is lost; characters of a line that is a row.

/** Of all scores, those that rise; and a score that has risen by more than noise. */
const MOST = 2 / 3, GAINED = 0.1;

interface Row {
  readonly cells: readonly string[];
  readonly line: Line;
}
interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export class ModelTable {
  #rows: Row[] = [];

  constructor(private readonly intake: Intake) {}

  /** Looks at a line; rows without pipes end the table. */
  look(line: Line): void {
    if (!/^\s*\|.*\||^[^|]+\|[^|]+\|/.test(line.text) || line.text.length < LEAST) return this.end();
    if (/^[\s|:+-]+$/.test(line.text)) return;
    const cells = line.text.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim().replaceAll("**", ""));
    this.#rows.push({ cells, line });
  }

  end(): void {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length < 3 || !this.#compare(rows)) this.#compare(turned(rows));
  }

  /** Says what the tuned model lost or gained; false where the rows are no models. */
  #compare([head, ...rows]: readonly Row[]): boolean {
    const base = rows.find(({ cells }) => BASE.test(cells[0]!)),
      tuned = rows.findLast(({ cells }) => TUNED.test(cells[0]!) && !BASE.test(cells[0]!));
    if (head === undefined || base === undefined || tuned === undefined) return false;
    // "eval_loss before", "eval_loss after": of a loss less is better.
    if (NO_SCORE.test(base.cells[0]!.replace(BASE, ""))) return true;
    const changes = head.cells.flatMap((name, at): Change[] => {
      const before = SCORE.exec(base.cells[at] ?? ""), after = SCORE.exec(tuned.cells[at] ?? "");
      if (at === 0 || before === null || after === null || NO_SCORE.test(name) || isOther(name)) return [];
      const [from, to] = [writtenNumber(before[1]!).value, writtenNumber(after[1]!).value];
      return from > 0 ? [{ name, from, to }] : [];
    });
    const lost = changes.filter(({ from, to }) => to < (1 - LOST) * from),
      risen = changes.filter(({ from, to }) => to > from).sort((a, b) => b.to / b.from - a.to / a.from);
    // One of many is noise; of few it is what is told.
    if (lost.length > 0 && 3 * lost.length >= changes.length) this.#claim("forgets", lost[0]!, base, tuned);
    else if (lost.length === 0 && risen.length >= MOST * changes.length && isGain(risen[0])) {
      this.#claim("rises", risen[0]!, base, tuned);
    }
    return true;
  }

  #claim(predicate: "forgets" | "rises", { name, from, to }: Change, base: Row, tuned: Row): void {
    this.intake.claim({
      subject: "evaluation",
      predicate,
      value: to,
      from: null,
      to: null,
      throughout: false,
      by: "author",
      elsewhere: false,
      line: tuned.line.number,
      text: `${name}: ${from} of ${base.cells[0]}, ${to} of ${tuned.cells[0]}`,
    });
  }
}

/** A metric of training: whether more of it is better, no table of scores says. */
const OTHERS: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>([
  "loss",
  "eval_loss",
  "policy_loss",
  "value_loss",
  "kl",
  "entropy",
  "grad_norm",
  "clip_fraction",
  "completion_length",
  "truncation",
]);
const isOther = (name: string) => mentionsIn(name).some(({ subject }) => OTHERS.has(subject));

const isGain = (change: Change | undefined) => change !== undefined && change.to > (1 + GAINED) * change.from;

/** The same table with the models in its columns as rows. */
function turned(rows: readonly Row[]): Row[] {
  const [head] = rows;
  return head === undefined ? [] : head.cells.map((_, at) => ({
    cells: rows.map(({ cells }) => cells[at] ?? ""),
    line: rows[1]?.line ?? head.line,
  }));
}
