/** Tables of scores by model: what the tuned model lost against the one that it was made from. @module */
import type { Intake } from "../intake/intake.ts";
import type { Line } from "../source/lines.ts";
import { writtenNumber } from "./numbers.ts";

const BASE =
  /(?<![\p{L}])(?:base(?:line)?|original|pre-?trained|vanilla|before|untuned|avant|vor(?:her)?|antes|до|исходн\p{L}*|базов\p{L}*)(?![\p{L}])|原(?:始|模型|版)|基座|底座|微调前|训练前|ベース|学習前|元モデル|기존|원본|학습\s?전/iu;
const TUNED =
  /(?<![\p{L}])(?:sft|dpo|kto|orpo|simpo|fine-?tun\p{L}*|tuned|lora|qlora|after|ours?|trained|ft|après|nach(?:her)?|después|depois|после)(?![\p{L}])|微调(?:后|模型)|训练后|学習後|ファインチューニング|파인튜닝|학습\s?후/iu;
/** Columns that are no scores, or better where they are lower. */
const NO_SCORE = /loss|ppl|perplexity|time|latenc|param|epoch|rank|lr|rate|step|error|wer|损失|困惑|错误|時間|시간/i;
const SCORE = /^[^\d.+-]{0,3}(\d+(?:[.,]\d+)?)\s*[%％]?(?:\s*\(.*\))?$/u;
const LOST = 0.15, LEAST = 3; // Share of a score that is lost; characters of a line that is a row.

export class ModelTable {
  #rows: { readonly cells: readonly string[]; readonly line: Line }[] = [];

  constructor(private readonly intake: Intake) {}

  /** Looks at a line; rows without pipes end the table. */
  look(line: Line): void {
    if (!/^\s*\|.*\|/.test(line.text) || line.text.length < LEAST) return this.end();
    if (/^[\s|:+-]+$/.test(line.text)) return;
    const cells = line.text.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim().replaceAll("**", ""));
    this.#rows.push({ cells, line });
  }

  end(): void {
    const [head, ...rows] = this.#rows;
    this.#rows = [];
    if (head === undefined || rows.length < 2) return;
    const base = rows.find(({ cells }) => BASE.test(cells[0]!)),
      tuned = rows.findLast(({ cells }) => TUNED.test(cells[0]!) && !BASE.test(cells[0]!));
    if (base === undefined || tuned === undefined) return;
    const changes = head.cells.flatMap((name, at) => {
      const before = SCORE.exec(base.cells[at] ?? ""), after = SCORE.exec(tuned.cells[at] ?? "");
      if (at === 0 || before === null || after === null || NO_SCORE.test(name)) return [];
      const [from, to] = [writtenNumber(before[1]!).value, writtenNumber(after[1]!).value];
      return from > 0 ? [{ name, from, to }] : [];
    });
    const lost = changes.filter(({ from, to }) => to < (1 - LOST) * from);
    // One of many is noise; of few it is what is told.
    if (lost.length === 0 || 3 * lost.length < changes.length) return;
    const [{ name, from, to }] = lost as [typeof lost[number]];
    this.intake.claim({
      subject: "evaluation",
      predicate: "forgets",
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
