/**
 * Judges a completion by the verifier its prompt names (column `verifier` of `prompts`): a task's, or one of the plain
 * comparisons for prompts from a file.
 * @module
 */
import { type TaskName, TASKS } from "../mod.ts";
import type { PromptRow } from "../task.ts";
import { answerText } from "./answer_tag.ts";
import { sameAnswer } from "./same_answer.ts";
import { sameLastNumber } from "./same_number.ts";

type Verify = (completion: string, row: PromptRow) => boolean;

/** Verifiers that need no task: for prompts from a file. */
export const PLAIN_VERIFIERS = { exact: sameAnswer, numeric: sameLastNumber } as const satisfies Record<string, Verify>;

const VERIFIERS = new Map<string, Verify>([
  ...Object.entries(PLAIN_VERIFIERS),
  ...Object.entries(TASKS).map(([name, task]): [string, Verify] => [name, (text, row) => task.verify(text, row)]),
]);

/** True if the answer itself, and no other text, is right: what verifies is `sameAnswer`, a task's or the plain one. */
export function wantsAnswerItself(verifier: string): boolean {
  const task = Object.hasOwn(TASKS, verifier) ? TASKS[verifier as TaskName].verify : undefined;
  return (task ?? (PLAIN_VERIFIERS as Record<string, Verify>)[verifier]) === sameAnswer;
}

/**
 * Whether the completion is right; null when the row names no verifier ("none": nothing is known to be right). A row
 * with an `answer_tag` has only the text in that tag judged; a completion without it is wrong.
 */
export function verify(completion: string, row: PromptRow): boolean | null {
  const name = row.verifier;
  if (name === undefined || name === null || name === "none") return null;
  const verifier = VERIFIERS.get(String(name));
  if (!verifier) {
    throw new RangeError(
      `Cannot verify completions: "${name}" is no verifier; want ${[...VERIFIERS.keys()].join(", ")}`,
    );
  }
  const answer = answerText(completion, row.answer_tag === null ? undefined : row.answer_tag as string | undefined);
  return answer !== null && verifier(answer, row);
}
