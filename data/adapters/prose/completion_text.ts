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

interface TextLine {
  readonly text: string;
  readonly line: number;
}

interface Block {
  line: number;
  fields: Map<string, string>;
}

const WORDS = {
  prompt: ["prompt", "question", "input", "query", "problem"],
  text: ["completion", "output", "response", "content", "generated"],
  answer: ["solution", "sol", "ground truth", "gt", "gold", "expected", "reference"],
  reward: ["reward", "score"],
  advantage: ["advantage"],
};
const KIND = new Map(Object.entries(WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind])));

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
  #lines: TextLine[] = [];

  constructor(private readonly intake: Intake) {}

  add(text: string, line: number): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push({ text, line });
    else this.intake.skip(line, `lines after the first ${MAX_LINES} of a completions text`);
  }

  end(): void {
    let sample = 0;
    for (const { line, fields } of blocksOf(this.#lines)) {
      const text = fields.get("text");
      if (text === undefined) continue;
      this.intake.completion({
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
    this.#lines = [];
  }
}

/** One block per completion: apart by labels that come again, by rules or empty lines; else one per line. */
function blocksOf(lines: readonly TextLine[]): Block[] {
  const hasLabels = lines.some(({ text }) => LABEL.test(text)), hasRules = lines.some(({ text }) => RULE.test(text));
  // Empty lines are not handed on.
  const hasGaps = lines.some(({ line }, i) => i > 0 && line > lines[i - 1]!.line + 1);
  const blocks: Block[] = [];
  let block: Block | null = null, key = "text", last = -1;
  for (const { text, line } of lines) {
    if (RULE.test(text)) {
      block = null;
      continue;
    }
    const [, label, labelled] = LABEL.exec(text) ?? [];
    const kind = label === undefined ? null : KIND.get(label.toLowerCase().replace("_", " "))!;
    const isApart = hasLabels
      ? kind !== null && block !== null && block.fields.has(kind)
      : !hasRules && (!hasGaps || line > last + 1);
    if (block === null || isApart) blocks.push(block = { line, fields: new Map() });
    key = kind ?? (hasLabels ? key : "text");
    const before = block.fields.get(key);
    block.fields.set(key, kind !== null ? labelled! : before === undefined ? text : `${before}\n${text}`);
    last = line;
  }
  return blocks;
}
