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
  /** What is asked; where there are images, the text that stands below them. */
  readonly prompt: string;
  /** Files of pictures that the prompt shows, in their order: PNG, JPEG or WebP. */
  readonly images?: readonly Uint8Array[];
  readonly answer: string;
  /** The task's own estimate of how hard it is, 0 to 1. */
  readonly difficulty: number;
  /** What decides the split, where two prompts are the same problem ("3+5=" and "5+3="); default: the prompt. */
  readonly splitKey?: string;
  /** The split, where the task decides it itself, as by who wrote what is shown; then no hash does. */
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
  /** Whether its rows have images, and their splits. */
  readonly hasImages: boolean;
  /** All problems, each prompt with its images once; a function of the parameters alone (not of the run's seed). */
  rows(params: z.output<Params>): readonly TaskRow[];
  /** Whether a completion solves the problem. Never throws, whatever the text. */
  verify(completion: string, row: PromptRow): boolean;
  /** Characters of the longest answer plus one: enough new tokens for one token per character and the end. */
  maxNewTokens(params: z.output<Params>): number;
}

/** What a task need not say. */
type Defaults = "columns" | "hasImages" | "verify";

/** A task as its file writes it: texts without own columns, and the answer wanted letter by letter, where it says nothing else. */
type Written<Params extends z.ZodType> = Omit<Task<Params>, Defaults> & Partial<Pick<Task<Params>, Defaults>>;

/** Lets the functions see the type of `params`. */
export function defineTask<Params extends z.ZodType>(written: Written<Params>): Task<Params> {
  return { columns: {}, hasImages: false, verify: sameAnswer, ...written };
}
