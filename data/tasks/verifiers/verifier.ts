/** What a verifier is: it reads an answer once, and says of completions whether they are right. @module */
import type { z } from "zod";
import type { PromptRow } from "../task.ts";

/** A completion as code to run, with the calls that it must answer. */
export interface Program {
  readonly code: string;
  readonly fn_name: string;
  /** Arguments of each call, and what it must return. */
  readonly inputs: readonly (readonly unknown[])[];
  readonly outputs: readonly unknown[];
  /** For all calls together. */
  readonly milliseconds: number;
  /** How far numbers that are not both whole may differ: relative to the larger one, and in all. */
  readonly tolerance: number;
  readonly absolute_tolerance: number;
}

export interface Verifier<Params extends z.ZodType = z.ZodType> {
  /** One line: when a completion counts as correct. */
  readonly about: string;
  /** `verifier_options` of load_prompts. */
  readonly params: Params;
  /** Its answers are JSON: an object or a list in a row is its text. */
  readonly answersAreJson?: true;
  /** Looks for one value anywhere in an answer: it reads some in a list of boxes too, which says nothing of these. */
  readonly findsOneValue?: true;
  /** True where with these options no row needs an answer of its own. */
  needsNoAnswer?(options: z.output<Params>): boolean;
  /** What is wrong with a row's answer, as the end of a sentence that begins with it; null where it can be judged. */
  problem(answer: string, options: z.output<Params>, row: PromptRow): string | null;
  /** Whether the completion is right. Never throws, whatever the text, and ends soon. */
  verify?(completion: string, row: PromptRow, options: z.output<Params>): boolean;
  /** In place of `verify`: what the sandbox runs to know it; null for a completion that is wrong without it. */
  program?(completion: string, row: PromptRow, options: z.output<Params>): Program | null;
}

/** Identity; lets the functions see the type of their options. */
export function defineVerifier<Params extends z.ZodType>(verifier: Verifier<Params>): Verifier<Params> {
  return verifier;
}
