/** Makes prompts of the rows of a user's file: which columns, which split, each prompt once. @module */
import { didYouMean } from "../../did_you_mean.ts";
import { cellOf, columnsOf, pathsIn } from "../../datasets/cells.ts";
import type { FileRows } from "../../datasets/read_rows.ts";
import { placeInOrder, type Split, type SplitFractions } from "../../datasets/split.ts";
import type { BoxChange } from "./answer_boxes.ts";
import { ImageProblem, type RowImages } from "./row_images.ts";
import { asked, rowPrompt } from "./row_prompt.ts";
import { PLAIN_VERIFIERS, type VerifierName } from "../verifiers/mod.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { Row, RowBatch } from "../../datasets/row_batch.ts";

/** A prompt that has its split. */
export interface SplitPrompt {
  readonly prompt: string;
  readonly answer: string;
  readonly split: Split;
  /** Name of the verifier that judges its completions (data/tasks/verifiers/verify.ts). */
  readonly verifier: string;
  readonly difficulty: number | null;
  /** The task's or the file's further columns. */
  readonly columns: Readonly<Record<string, unknown>>;
}

export interface FilePromptOptions {
  /** The file, as the user named it: for errors. */
  readonly file: string;
  /** Columns, or dotted paths into their objects. */
  readonly prompt_column: string;
  /** Its text stands below the prompt's, an empty line between, in rows where it has one. */
  readonly input_column?: string | undefined;
  /** Null: rows have no answer. */
  readonly answer_column: string | null;
  readonly split_column?: string | undefined;
  /** Conversations in place of prompts and answers: the last message answers those before. */
  readonly messages_column?: string | undefined;
  readonly columns: readonly string[];
  readonly verifier: string;
  readonly verifier_options?: Readonly<Record<string, unknown>>;
  /** What becomes of a row without a prompt, or whose answer the verifier cannot read; stop where it is left out. */
  readonly unreadable?: "stop" | "skip";
  /** At most so many prompts, in the order of `hashOrder`. */
  readonly limit?: number | undefined;
  /** Where prompts have images. */
  readonly images?: RowImages;
  /** In which unit the answers' boxes are, and shall be. */
  readonly box_unit?: BoxChange | undefined;
  /** Of rows whose split nothing says, and of those in a folder's train split. */
  readonly splits: SplitFractions;
}

/** What a file's rows may be together once they are prompts, in characters: they stay in memory. */
const MOST_KEPT = 500e6;
/** More prompts than the limit that are held before those beyond it are let go. */
const SLACK = 10_000;

interface FilePromptRows {
  readonly rows: SplitPrompt[];
  /** Rows left out because their prompt and answer occurred before, among those that are kept. */
  readonly duplicates: number;
  /** Rows left out because they have no prompt, or the verifier cannot read their answer. */
  readonly unreadable: number;
}

/**
 * Makes prompts of rows as they are read: held are the prompts, their answers and the further columns that are named,
 * and with a `limit` little more than so many of them.
 *
 * Every method throws RangeError for a missing column, an empty prompt, a missing answer or one that the verifier cannot
 * read, an unknown split, and a prompt with two answers or in two splits.
 */
export class PromptCollector {
  readonly #options: FilePromptOptions;
  readonly #fail: Fail;
  readonly #seen = new Map<string, { readonly prompt: SplitPrompt; readonly place: string; readonly order: number }>();
  readonly #verifier: Verifier | null;
  readonly #verifierOptions: unknown;
  #rows = 0;
  #duplicates = 0;
  #unreadable = 0;
  #kept = 0;
  /** Beyond this place in the order by hash nothing is kept. */
  #last = Infinity;

  constructor(options: FilePromptOptions) {
    this.#options = options;
    this.#fail = (problem) => {
      throw new RangeError(`Cannot load prompts from ${options.file}: ${problem}`);
    };
    const { verifier, verifier_options = {} } = options;
    this.#verifier = Object.hasOwn(PLAIN_VERIFIERS, verifier) ? PLAIN_VERIFIERS[verifier as VerifierName] : null;
    this.#verifierOptions = this.#verifier?.params.parse(verifier_options);
  }

  add(batch: RowBatch): void {
    if (this.#rows === 0) checkColumns(this.#options, batch.rows, batch.columns, this.#fail);
    batch.rows.forEach((cells, i) => this.#take(cells, batch.place(i), batch.split, batch.problems?.[i] ?? null));
  }

  end(): FilePromptRows {
    if (this.#rows === 0) this.#fail("it has no rows");
    const kept = [...this.#seen.values()].map(({ prompt }) => prompt);
    if (kept.length === 0) {
      this.#fail(`none of its ${this.#rows} rows has a prompt, and an answer that the verifier reads`);
    }
    const duplicates = this.#duplicates;
    return { rows: kept, duplicates, unreadable: this.#unreadable };
  }

  #take(cells: Row, place: string, folderSplit: Split | null, problem: string | null): void {
    this.#rows++;
    if (problem !== null) return this.#leaveOut(`${place}: ${problem}; mend it`);
    const prompt = this.#promptOf(cells, place, folderSplit);
    if (prompt === null) return;
    const order = placeInOrder(prompt.prompt);
    if (order > this.#last) return;
    const before = this.#seen.get(prompt.prompt);
    if (before !== undefined) {
      // A folder's test rows that are in its train split too: they stay what nothing trains on.
      const isLeak = folderSplit !== null && before.prompt.split !== prompt.split &&
        before.prompt.answer === prompt.answer;
      if (!isLeak) return this.#again(before.prompt, before.place, prompt, place);
      this.#duplicates++;
      if (before.prompt.split === "train") this.#seen.set(prompt.prompt, { prompt, place, order });
      return;
    }
    this.#seen.set(prompt.prompt, { prompt, place, order });
    asked(() => this.#options.images?.keep(place), place, this.#fail);
    this.#kept += prompt.prompt.length + prompt.answer.length + JSON.stringify(prompt.columns).length;
    if (this.#kept > MOST_KEPT) {
      this.#fail(
        `its prompts have more than ${MOST_KEPT} characters together, want fewer; set limit, or name fewer columns`,
      );
    }
    const { limit } = this.#options;
    if (limit !== undefined && this.#seen.size > limit + SLACK) this.#letGo(limit);
  }

  /** Null for a row that is left out. */
  #promptOf(cells: Row, place: string, folderSplit: Split | null): SplitPrompt | null {
    let prompt: SplitPrompt | null = null, problem: string | null;
    try {
      prompt = rowPrompt(cells, place, folderSplit, this.#options, this.#fail);
      problem = this.#problemOf(prompt);
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error;
      problem = `: ${error.message}; mend the row`;
    }
    if (problem === null) return prompt;
    this.#leaveOut(`${place}${problem}`);
    return null;
  }

  #leaveOut(problem: string): void {
    if (this.#options.unreadable !== "skip") this.#fail(`${problem}, or set unreadable: skip to leave such rows out`);
    this.#unreadable++;
  }

  /** What a row lacks, and what to do, behind its place. */
  #problemOf({ prompt, answer, columns }: SplitPrompt): string | null {
    const { verifier, answer_column } = this.#options;
    if (prompt === "") return " has no prompt; remove it";
    if (answer === "" && answer_column !== null && verifier !== "none") {
      return " has no answer; remove it, set verifier: none if your own reward needs no answer";
    }
    const problem = this.#verifier?.problem(answer, this.#verifierOptions, { answer, ...columns }) ?? null;
    return problem === null
      ? null
      : `: verifier "${verifier}" cannot read its answer: ${shortened(answer)} ${problem}; ` +
        "mend the row, name another verifier";
  }

  #again(before: SplitPrompt, at: string, prompt: SplitPrompt, place: string): void {
    this.#duplicates++;
    const differs = before.answer !== prompt.answer ? "answers" : before.split !== prompt.split ? "splits" : null;
    if (differs === null) return;
    const rows = /^row \d+$/.test(at) && /^row \d+$/.test(place)
      ? `rows ${at.slice(4)} and ${place.slice(4)}`
      : `${at} and ${place}`;
    this.#fail(`${rows} have the same prompt and different ${differs}; remove one`);
  }

  /** Those that the limit cuts off in the end, in the order that decides about it. */
  #letGo(limit: number): void {
    const entries = [...this.#seen].sort(([, a], [, b]) => a.order - b.order);
    this.#last = entries[limit - 1]![1].order;
    for (const [text, { prompt, order }] of entries.slice(limit)) {
      if (order === this.#last) continue;
      this.#seen.delete(text);
      this.#kept -= prompt.prompt.length + prompt.answer.length + JSON.stringify(prompt.columns).length;
    }
  }
}

/** Prompts of rows that are all there. */
export function filePrompts({ rows, columns, place }: FileRows, options: FilePromptOptions): FilePromptRows {
  const collector = new PromptCollector(options);
  if (rows.length === 0 && columns.length === 0) return collector.end();
  const at = place ?? ((i: number) => `row ${i + 1}`);
  collector.add({ rows, columns, split: null, place: at });
  return collector.end();
}

function shortened(text: string): string {
  const shown = JSON.stringify(text);
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
}

const MOST_SHOWN = 80;

type Fail = (problem: string) => never;

function checkColumns(
  options: FilePromptOptions,
  rows: FileRows["rows"],
  known: readonly string[],
  fail: Fail,
): void {
  const { prompt_column, input_column, answer_column, split_column, messages_column, columns } = options;
  const wanted = [
    ...Object.entries(
      messages_column === undefined ? { prompt_column, input_column, answer_column } : { messages_column },
    ),
    ["split_column", split_column] as const,
    ...columns.map((name) => ["columns", name] as const),
    ...(options.images?.columns ?? []).map((name) => ["image_column", name] as const),
  ];
  for (const [option, name] of wanted) {
    if (name === undefined || name === null || known.includes(name)) continue;
    const column = columnsOf(name).find((one) => known.includes(one));
    const cell = column === undefined
      ? undefined
      : rows.find((row) => typeof row[column] === "object" && row[column] !== null)?.[column];
    if (cell !== undefined && rows.some((row) => cellOf(row, name) !== undefined)) continue;
    const names = known.flatMap((one) => one === column && cell !== undefined ? pathsIn(cell, one) : [one]);
    const without = option !== "answer_column"
      ? ""
      : "; where no reward reads answers set answer_column: null and verifier: none";
    fail(`it has no column "${name}" (option ${option})${didYouMean(name, names)}${without}`);
  }
}
