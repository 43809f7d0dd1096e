/**
 * The debug file of Visual-RFT, VLM-R1 and R1-V: a dashed line with a reward, then `content:` and `sol:` blocks.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import type { Line } from "../source/lines.ts";
import type { LineFormat, LineReader } from "./line_format.ts";

const HEAD = /^-{5,}\s+(\S+)\s+([A-Za-z][^:]*?):\s*(-?[\d.]+|nan|None|True|False)\s*-{5,}\s*(.*)$/;
const FIELD =
  /^(content|completion|sol|solution|problem|prompt|question|student_answer\w*|ground_truth\w*|iou_results)\s*:\s*(.*)$/i;
const ONE_LINE = /^content:\s*(.*?)\s*(?:\bsol(?:ution)?:\s*(.*))?$/is;

export const DEBUG_BLOCK: LineFormat = {
  about: "dashed reward lines with content and solution (Visual-RFT, VLM-R1, R1-V debug files)",
  open: (intake) => new BlockReader(intake),
};

class BlockReader implements LineReader {
  #block: Block | null = null;
  #sample = 0;

  constructor(private readonly intake: Intake) {}

  line({ text, number }: Line): boolean {
    const head = text.startsWith("----- ") || /^-{6,40} /.test(text) ? HEAD.exec(text) : null;
    if (head !== null) {
      this.end();
      this.#block = headedBlock(head, number);
    } else if (this.#block !== null && (text.includes("'learning_rate'") || text.includes("%|"))) {
      this.end(); // a console that mixes debug output and records
    } else if (this.#block !== null) addTo(this.#block, text);
    return this.#block !== null;
  }

  end(): void {
    if (this.#block === null) return;
    const { name, reward, line, fields } = this.#block;
    this.#block = null;
    const text = fields.get("content") ?? fields.get("completion") ?? "";
    const answer = fields.get("sol") ?? fields.get("solution") ?? null;
    this.intake.completion({
      line,
      sample: this.#sample++,
      prompt: fields.get("problem") ?? fields.get("question") ?? fields.get("prompt") ?? null,
      answer: answer?.trim() ?? null,
      text: text.trim(),
      reward,
      rewards: new Map([[name, reward]]),
      cut: text.includes("[...]"),
    });
    if (/IoU|Confidence/i.test(name) && fields.has("student_answer_bbox")) this.intake.mark("visual-rft", name);
  }
}

interface Block {
  readonly name: string;
  readonly reward: number | null;
  readonly line: number;
  readonly fields: Map<string, string>;
  /** The field that a line without a name goes on with. */
  key: string;
}

function headedBlock(head: RegExpExecArray, line: number): Block {
  const [, , title, value, rest] = head as unknown as [string, string, string, string, string];
  const reward = value === "None" ? null : value === "True" ? 1 : value === "False" ? 0 : Number(value);
  const fields = new Map<string, string>();
  const [, content, solution] = ONE_LINE.exec(rest) ?? [];
  if (content !== undefined) fields.set("content", content);
  if (solution !== undefined) fields.set("sol", solution);
  return { name: title.trim(), reward, line, fields, key: "content" };
}

function addTo(block: Block, text: string): void {
  const field = FIELD.exec(text);
  if (field !== null) block.fields.set(block.key = field[1]!.toLowerCase(), field[2]!);
  else {
    const old = block.fields.get(block.key) ?? "";
    if (old.length < 100_000) block.fields.set(block.key, `${old}\n${text}`);
  }
}
