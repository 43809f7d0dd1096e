/** What a reward function is: the completions of one batch in, one number or null per completion out. @module */
import type { z } from "zod";
import type { MethodNotes } from "../../gpu/losses/method.ts";
import type { PromptRow } from "../../data/tasks/mod.ts";

/** One batch of completions; arrays run over completions. User code gets the same object as plain data. */
export interface RewardBatch {
  readonly prompts: readonly string[];
  readonly texts: readonly string[];
  readonly answers: readonly string[];
  /** Tokens of each completion, its end of sequence included. */
  readonly completion_tokens: readonly number[];
  /** Reached max_new_tokens without an end of sequence. */
  readonly truncated: readonly boolean[];
  /** The rows of `prompts` they answer, with the task's own columns and the name of their verifier. */
  readonly rows: readonly PromptRow[];
}

/** The same for built-in functions. */
interface OwnBatch extends RewardBatch {
  /** What the verifier of each completion's prompt says of it; null where that names none. */
  readonly correct?: readonly (boolean | null)[];
  /** What the run's reward model gives each completion; there where a reward function reads it. */
  readonly model_scores?: readonly number[];
}

export interface Reward<Params extends z.ZodType = z.ZodType> {
  /** One line: what is rewarded, with the range of values. */
  readonly about: string;
  /** Formula, source and names elsewhere of one that another system has. */
  readonly method?: MethodNotes;
  readonly params: Params;
  /** Reads `model_scores`: the run must have a reward model. */
  readonly readsModel?: true;
  /** One finite number per completion, or null where the function does not apply. */
  score(params: z.output<Params>, batch: OwnBatch): readonly (number | null)[];
  /** Why no completion can be judged by an answer, for which `score` throws; null for one that is read. */
  answerProblem?(params: z.output<Params>, answer: string): string | null;
  /** What an answer is that is read, and that nothing will ever equal: data for another reward; null for another. */
  answerDoubt?(params: z.output<Params>, answer: string): string | null;
  /**
   * What computes the same in the sandbox, within its limits of time: for parameters with which `score` may not end.
   * Null, or left out, where it always ends.
   */
  isolated?(params: z.output<Params>): Isolated | null;
}

/** A file that exports `score` as a user's file does (absolute path), and its options. */
interface Isolated {
  readonly file: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Identity; lets `score` see the type of `params`. */
export function defineReward<Params extends z.ZodType>(reward: Reward<Params>): Reward<Params> {
  return reward;
}
