/**
 * The debug file of Visual-RFT, VLM-R1 and R1-V: a dashed line with a reward, then `content:` and `sol:` blocks.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import type { ImportedCompletion } from "../run/imported_run.ts";
import type { Line } from "../source/lines.ts";
import type { LineFormat, LineReader } from "./line_format.ts";

const HEAD = /^-{5,}\s+(\S+)\s+([A-Za-z][^:]*?):\s*(-?[\d.]+|nan|None|True|False)\s*-{5,}\s*(.*)$/;
const FIELD =
  /^(content|completion|sol|solution|problem|prompt|question|student_answer\w*|ground_truth\w*|iou_results)\s*:\s*(.*)$/i;
const ONE_LINE = /^content:\s*(.*?)\s*(?:\bsol(?:ution)?:\s*(.*))?$/is;

export const DEBUG_BLOCK: LineFormat = {
  about: "dashed reward lines with content and solution (Visual-RFT, VLM-R1, R1-V debug files)",
  words: ["-----"],
  open: (intake) => new BlockReader(intake),
};

/** Completions that another reward of theirs is looked for among: those of all processes' batches. */
const RECENT = 512;

class BlockReader implements LineReader {
  #block: Block | null = null;
  readonly #groups = new Groups();
  readonly #names = new Set<string>();
  readonly #recent: ImportedCompletion[] = [];

  constructor(private readonly intake: Intake) {}

  get isOpen(): boolean {
    return this.#block !== null;
  }

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
    const block = this.#block, { name, reward, fields } = block;
    this.#block = null;
    const text = (fields.get("content") ?? fields.get("completion") ?? "").trim();
    const answer = (fields.get("sol") ?? fields.get("solution") ?? null)?.trim() ?? null;
    this.#names.add(name);
    if (!this.#joined(name, reward, text, answer)) this.#take(block, text, answer);
    if (isVisualRft(block)) this.intake.mark("visual-rft", name);
  }

  /** Every reward function prints the completions of a batch again: a further one is added to the completion it is of. */
  #joined(name: string, reward: number | null, text: string, answer: string | null): boolean {
    if (this.#names.size < 2) return false;
    const row = this.#recent.find((row) => !row.rewards.has(name) && row.text === text && row.answer === answer);
    if (row === undefined) return false;
    row.rewards.set(name, reward);
    row.reward = row.reward === null || reward === null ? null : row.reward + reward;
    return true;
  }

  #take({ name, reward, line, stamp, fields }: Block, text: string, answer: string | null): void {
    const prompt = fields.get("problem") ?? fields.get("question") ?? fields.get("prompt") ?? null;
    const row = this.intake.completion({
      line,
      ...this.#groups.place(name, stamp, `${prompt ?? ""}\n${answer ?? ""}`),
      prompt,
      answer,
      text,
      reward,
      rewards: new Map([[name, reward]]),
      cut: text.includes("[...]"),
    });
    if (row === null) return;
    this.#recent.push(row);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }
}

/** Tells groups apart: one call of a reward function has one time, where it takes the time once, and one solution. */
class Groups {
  /** The group that each function, with its time and what it asks, is at. */
  readonly #open = new Map<string, { readonly id: number; samples: number }>();
  #last = { stamp: "", name: "" };
  #count = 0;
  #sharesTimes = false;

  place(name: string, stamp: string, asked: string): { readonly prompt_id: number; readonly sample: number } {
    const key = (time: string) => `${name}\n${time}\n${asked}`, loose = this.#open.get(key(""));
    if (this.#last.stamp === stamp && this.#last.name === name) this.#sharesTimes = true;
    // The first of all came before it was known that times are shared.
    const own = key(this.#sharesTimes ? stamp : ""), before = this.#open.get(own) ?? loose;
    this.#open.delete(key(""));
    // Without a time in common a group ends where another solution stands between.
    const group = before ?? { id: ++this.#count, samples: 0 };
    if (!this.#sharesTimes && before === undefined) this.#open.clear();
    if (this.#open.size > RECENT) this.#open.clear();
    this.#open.set(own, group);
    this.#last = { stamp, name };
    return { prompt_id: group.id, sample: group.samples++ };
  }
}

interface Block {
  readonly name: string;
  readonly reward: number | null;
  readonly line: number;
  /** When it was judged, as printed. */
  readonly stamp: string;
  readonly fields: Map<string, string>;
  /** The field that a line without a name goes on with. */
  key: string;
  /** A line "sol:" in lower case: R1-V and VLM-R1 write "Solution:". */
  saysSol: boolean;
}

/** Visual-RFT names what it judges; where it judges classes its lines do. It shows boxes only where it could read some. */
function isVisualRft({ name, saysSol }: Block): boolean {
  return /^Accuracy reward of (IoU|Confidence)$/.test(name) || (saysSol && name === "Accuracy reward");
}

function headedBlock(head: RegExpExecArray, line: number): Block {
  const [, stamp, title, value, rest] = head as unknown as [string, string, string, string, string];
  const reward = value === "None" ? null : value === "True" ? 1 : value === "False" ? 0 : Number(value);
  const fields = new Map<string, string>();
  const [, content, solution] = ONE_LINE.exec(rest) ?? [];
  if (content !== undefined) fields.set("content", content);
  if (solution !== undefined) fields.set("sol", solution);
  return { name: title.trim(), reward, line, stamp, fields, key: "content", saysSol: false };
}

function addTo(block: Block, text: string): void {
  const field = FIELD.exec(text);
  if (text.startsWith("sol:")) block.saysSol = true;
  if (field !== null) block.fields.set(block.key = field[1]!.toLowerCase(), field[2]!);
  else {
    const old = block.fields.get(block.key) ?? "";
    if (old.length < 100_000) block.fields.set(block.key, `${old}\n${text}`);
  }
}
