/** Makes prompts of the rows of a user's file: which columns, which split, each prompt once. @module */
import { didYouMean } from "../../did_you_mean.ts";
import { messagesText } from "./messages.ts";
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
  readonly prompt_column: string;
  readonly answer_column: string;
  readonly split_column?: string | undefined;
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
  const wanted = {
    prompt_column: options.prompt_column,
    answer_column: options.answer_column,
    split_column: options.split_column,
  };
  for (
    const [option, name] of [
      ...Object.entries(wanted),
      ...options.columns.map((name) => ["columns", name] as const),
    ]
  ) {
    if (name !== undefined && !known.includes(name)) {
      fail(`it has no column "${name}" (option ${option})${didYouMean(name, known)}`);
    }
  }
  if (rows.length === 0) fail("it has no rows");
  const seen = new Map<string, SplitPrompt & { readonly row: number }>();
  let duplicates = 0;
  rows.forEach((row, index) => {
    const cell = (name: string) => row[name] === null || row[name] === undefined ? "" : textOf(row[name]);
    const prompt = promptOf(
      row[options.prompt_column],
      (problem) => fail(`the prompt of row ${index + 1}: ${problem}`),
    );
    const answer = cell(options.answer_column);
    if (prompt === "") fail(`row ${index + 1} has no prompt`);
    if (answer === "" && options.verifier !== "none") {
      fail(`row ${index + 1} has no answer; remove it, or set verifier: none if your own reward needs no answer`);
    }
    const named = options.split_column === undefined ? null : cell(options.split_column);
    const split = named === null ? splitOf(prompt, options.splits) : SPLIT_NAMES[named.toLowerCase()] ??
      fail(`row ${index + 1} has split "${named}", want ${Object.keys(SPLIT_NAMES).join(", ")}`);
    const before = seen.get(prompt);
    if (before) {
      const differs = before.answer !== answer ? "answers" : before.split !== split ? "splits" : null;
      if (differs) {
        fail(`rows ${before.row} and ${index + 1} have the same prompt and different ${differs}; remove one`);
      }
      duplicates++;
      return;
    }
    const columns = Object.fromEntries(options.columns.map((name) => [name, row[name] ?? null]));
    seen.set(prompt, { prompt, answer, split, verifier: options.verifier, difficulty: null, columns, row: index + 1 });
  });
  return { rows: [...seen.values()].map(({ row: _, ...prompt }) => prompt), duplicates };
}

/** A text; a list of messages in the form that load_model puts into the chat template. */
function promptOf(value: unknown, fail: (problem: string) => never): string {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return textOf(value);
  try {
    return messagesText(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(error.message);
  }
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
