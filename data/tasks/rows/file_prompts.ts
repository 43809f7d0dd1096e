/** Makes prompts of the rows of a user's file: which columns, which split, each prompt once. @module */
import { didYouMean } from "../../did_you_mean.ts";
import { cellOf, columnsOf, isObject, pathsIn } from "./cells.ts";
import { BROKEN_TEXT, completionText, messagesText } from "./messages.ts";
import type { FileRows } from "./read_rows.ts";
import { type Split, type SplitFractions, splitOf } from "./split.ts";

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
  /** Null: rows have no answer. */
  readonly answer_column: string | null;
  readonly split_column?: string | undefined;
  /** Conversations in place of prompts and answers: the last message answers those before. */
  readonly messages_column?: string | undefined;
  readonly columns: readonly string[];
  readonly verifier: string;
  readonly splits: SplitFractions;
}

/** What other projects call our splits. */
const SPLIT_NAMES: Readonly<Record<string, Split>> = {
  train: "train",
  training: "train",
  validation: "validation",
  valid: "validation",
  val: "validation",
  dev: "validation",
  held_out: "held_out",
  test: "held_out",
};

/**
 * Prompts of a file's rows, without those whose prompt and answer occurred before (`duplicates` counts them).
 * Throws RangeError for a missing column, an empty prompt, a missing answer, an unknown split, and a prompt with two
 * answers or in two splits; rows are counted from 1.
 */
export function filePrompts(
  { rows, columns: known }: FileRows,
  options: FilePromptOptions,
): { readonly rows: SplitPrompt[]; readonly duplicates: number } {
  const fail = (problem: string): never => {
    throw new RangeError(`Cannot load prompts from ${options.file}: ${problem}`);
  };
  if (rows.length === 0 && known.length === 0) fail("it has no rows");
  checkColumns(options, rows, known, fail);
  if (rows.length === 0) fail("it has no rows");
  const seen = new Map<string, { readonly prompt: SplitPrompt; readonly row: number }>();
  rows.forEach((cells, index) => {
    const prompt = rowPrompt(cells, index + 1, options, fail), before = seen.get(prompt.prompt);
    if (before === undefined) return seen.set(prompt.prompt, { prompt, row: index + 1 });
    const differs = before.prompt.answer !== prompt.answer
      ? "answers"
      : before.prompt.split !== prompt.split
      ? "splits"
      : null;
    if (differs === null) return;
    fail(`rows ${before.row} and ${index + 1} have the same prompt and different ${differs}; remove one`);
  });
  const prompts = [...seen.values()].map(({ prompt }) => prompt);
  return { rows: prompts, duplicates: rows.length - prompts.length };
}

type Fail = (problem: string) => never;

function checkColumns(
  options: FilePromptOptions,
  rows: FileRows["rows"],
  known: readonly string[],
  fail: Fail,
): void {
  const { prompt_column, answer_column, split_column, messages_column, columns } = options;
  const wanted = [
    ...Object.entries(messages_column === undefined ? { prompt_column, answer_column } : { messages_column }),
    ["split_column", split_column] as const,
    ...columns.map((name) => ["columns", name] as const),
  ];
  for (const [option, name] of wanted) {
    if (name === undefined || name === null || known.includes(name)) continue;
    const column = columnsOf(name).find((one) => known.includes(one));
    const cell = column === undefined ? undefined : rows.find((row) => isObject(row[column]))?.[column];
    if (cell !== undefined && rows.some((row) => cellOf(row, name) !== undefined)) continue;
    const names = known.flatMap((one) => one === column && cell !== undefined ? pathsIn(cell, one) : [one]);
    const without = option !== "answer_column"
      ? ""
      : "; where no reward reads answers set answer_column: null and verifier: none";
    fail(`it has no column "${name}" (option ${option})${didYouMean(name, names)}${without}`);
  }
}

function rowPrompt(
  cells: FileRows["rows"][number],
  row: number,
  options: FilePromptOptions,
  fail: Fail,
): SplitPrompt {
  const { split_column, columns, verifier, splits } = options;
  const text = (name: string) => cellText(cellOf(cells, name), name);
  const { prompt, answer } = options.messages_column === undefined
    ? {
      prompt: asked(() => promptOf(cells, options.prompt_column), `the prompt of row ${row}`, fail),
      answer: asked(
        () => options.answer_column === null ? "" : text(options.answer_column),
        `the answer of row ${row}`,
        fail,
      ),
    }
    : asked(() => conversation(cellOf(cells, options.messages_column!)), `the conversation of row ${row}`, fail);
  for (const [name, written] of Object.entries({ prompt, answer })) {
    if (!written.isWellFormed()) fail(`the ${name} of row ${row} ${BROKEN_TEXT}`);
  }
  if (prompt === "") fail(`row ${row} has no prompt`);
  if (answer === "" && verifier !== "none") {
    fail(`row ${row} has no answer; remove it, or set verifier: none if your own reward needs no answer`);
  }
  const named = split_column === undefined ? null : asked(() => text(split_column), `the split of row ${row}`, fail);
  const split = named === null ? splitOf(prompt, splits) : SPLIT_NAMES[named.toLowerCase()] ??
    fail(`row ${row} has split "${named}", want ${Object.keys(SPLIT_NAMES).join(", ")}`);
  const own = Object.fromEntries(columns.map((name) => [name, cellOf(cells, name) ?? null]));
  return { prompt, answer, split, verifier, difficulty: null, columns: own };
}

/** What `read` gives; what it refuses is said of `what`. */
function asked<Read>(read: () => Read, what: string, fail: Fail): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return fail(`${what}: ${error.message}`);
    throw error;
  }
}

/** A text; a list of messages in the form that load_model puts into the chat template. */
function promptOf(cells: FileRows["rows"][number], name: string): string {
  const value = cellOf(cells, name);
  return Array.isArray(value) ? messagesText(value) : cellText(value, name);
}

/** A cell as text; of an object one field is meant, and which one the user must say. */
function cellText(value: unknown, name: string): string {
  if (value === null || value === undefined) return "";
  if (!isObject(value)) return textOf(value);
  const paths = pathsIn(value, name).slice(0, MOST_PATHS);
  throw new RangeError(
    `column "${name}" holds an object, want a text or a number; name ${
      paths.length > 1 ? "one of its fields" : "its field"
    }: ${paths.join(", ")}`,
  );
}

const MOST_PATHS = 20;

/** A list of messages, or its JSON, of which the last is the assistant's: that one answers the others. */
function conversation(value: unknown): { readonly prompt: string; readonly answer: string } {
  const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
  if (!Array.isArray(list)) throw new RangeError(`it is ${textOf(value ?? null)}, want a list of messages`);
  const last = list.at(-1) as { readonly role?: unknown } | undefined;
  if (last?.role !== "assistant" || list.length < 2) {
    throw new RangeError("want a list of two messages or more, the last of them the assistant's");
  }
  return { prompt: messagesText(list.slice(0, -1)), answer: completionText([last]) };
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
