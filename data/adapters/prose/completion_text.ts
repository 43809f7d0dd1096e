/**
 * Completions pasted as plain text: blocks or lines, with or without words such as "Prompt:" and "Reward:" before them.
 * @module
 */
import type { Intake } from "../intake/intake.ts";

const RULE =
  /^\s*(?:[-=*#_~]{3,}.*|[[(#]*\s*(?:completion|sample|output|response|generation|step|example)?\s*#?\s*\d+\s*[\])]?\s*[:.)]?)\s*$/i;
const LABEL =
  /^\s*\W{0,3}(prompt|question|input|query|problem|completion|output|response|content|generated|solution|sol|ground[_ ]truth|gt|gold|expected|reference|reward|score|advantage)\W{0,3}\s*[:=]\s*(.*)$/i;
const MAX_LINES = 200_000;

interface Block {
  line: number;
  fields: Map<string, string>;
}

const KIND: Record<string, "prompt" | "text" | "answer" | "reward" | "advantage"> = {
  prompt: "prompt",
  question: "prompt",
  input: "prompt",
  query: "prompt",
  problem: "prompt",
  completion: "text",
  output: "text",
  response: "text",
  content: "text",
  generated: "text",
  solution: "answer",
  sol: "answer",
  "ground truth": "answer",
  gt: "answer",
  gold: "answer",
  expected: "answer",
  reference: "answer",
  reward: "reward",
  score: "reward",
  advantage: "advantage",
};

const number = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const found = /^-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)/i.exec(text.trim());
  if (found === null) return null;
  return /nan/i.test(found[0])
    ? NaN
    : /inf/i.test(found[0])
    ? (found[0][0] === "-" ? -Infinity : Infinity)
    : Number(found[0]);
};

/** Gathers the lines of a completions file and splits them when it ends. */
export class CompletionText {
  readonly #intake: Intake;
  #lines: { text: string; line: number }[] = [];

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  add(text: string, line: number): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push({ text, line });
    else this.#intake.skip(line, `lines after the first ${MAX_LINES} of a completions text`);
  }

  /** One block per completion: apart by rules or empty lines where there are any, else one per line. */
  end(): void {
    const lines = this.#lines;
    this.#lines = [];
    const numbers = lines.map(({ line }) => line);
    const gaps = numbers.some((line, i) => i > 0 && line > numbers[i - 1]! + 1); // empty lines are not handed on
    const rules = lines.some(({ text }) => RULE.test(text));
    const labels = lines.some(({ text }) => LABEL.test(text));
    const blocks: Block[] = [];
    let block: Block | null = null, key = "text", last = -1;
    for (const { text, line } of lines) {
      if (RULE.test(text)) {
        block = null;
        continue;
      }
      const label = LABEL.exec(text);
      const kind = label === null ? null : KIND[label[1]!.toLowerCase().replace("_", " ")]!;
      const apart = labels
        ? kind !== null && block !== null && block.fields.has(kind)
        : rules
        ? false
        : gaps
        ? line > last + 1
        : true;
      if (block === null || apart) blocks.push(block = { line, fields: new Map() });
      if (kind !== null) key = kind;
      else if (!labels) key = "text";
      const old = block.fields.get(key);
      const value = kind === null ? text : label![2]!;
      block.fields.set(key, old === undefined || kind !== null ? value : `${old}\n${value}`);
      last = line;
    }
    let sample = 0;
    for (const { line, fields } of blocks) {
      const text = fields.get("text");
      if (text === undefined) continue;
      this.#intake.completion({
        line,
        sample: sample++,
        prompt: fields.get("prompt") ?? null,
        answer: fields.get("answer") ?? null,
        text,
        reward: number(fields.get("reward")),
        advantage: number(fields.get("advantage")),
        cut: text.includes("[...]"),
      });
    }
  }
}
