/**
 * What a task is: problems with known answers, drawn the same way every time, and the function that judges an answer.
 * @module
 */
import type { z } from "zod";
import type { Column } from "../columns.ts";
import type { Split } from "../datasets/split.ts";
import { sameAnswer } from "./verifiers/same_answer.ts";

/** One problem. */
export interface TaskRow {
  readonly prompt: string;
  readonly answer: string;
  /** The task's own estimate of how hard it is, 0 to 1. */
  readonly difficulty: number;
  /** What decides the split, where two prompts are the same problem ("3+5=" and "5+3="); default: the prompt. */
  readonly splitKey?: string;
  /** Encoded files, PNG, that the prompt shows before its text. */
  readonly images?: readonly Uint8Array[];
  /** The split that the row is in whatever the hash says, such as by writer. */
  readonly split?: Split;
  /** Values of the task's own columns. */
  readonly columns?: Readonly<Record<string, string | number>>;
}

/** A row of the table `prompts` as a verifier sees it. */
export type PromptRow = Readonly<Record<string, unknown>>;

export interface Task<Params extends z.ZodType = z.ZodType> {
  /** One line: what is asked and how the prompt looks. */
  readonly about: string;
  readonly params: Params;
  /** Columns of `prompts` that only this task has. */
  readonly columns: Readonly<Record<string, Column>>;
  /** All problems, each prompt once; a function of the parameters alone (not of the run's seed). */
  rows(params: z.output<Params>): readonly TaskRow[];
  /** Whether a completion solves the problem. Never throws, whatever the text. */
  verify(completion: string, row: PromptRow): boolean;
  /** Characters of the longest answer plus one: enough new tokens for one token per character and the end. */
  maxNewTokens(params: z.output<Params>): number;
}

/** A task as its file writes it: without own columns, and the answer wanted letter by letter, where it says nothing else. */
type Written<Params extends z.ZodType> =
  & Omit<Task<Params>, "columns" | "verify">
  & Partial<Pick<Task<Params>, "columns" | "verify">>;

/** Lets the functions see the type of `params`. */
export function defineTask<Params extends z.ZodType>(written: Written<Params>): Task<Params> {
  return { columns: {}, verify: sameAnswer, ...written };
}
