/** Preferences that a task makes: its answer is chosen, a wrong one rejected. @module */
import { integer } from "../random.ts";
import type { Task, TaskRow } from "../tasks/task.ts";
import { type Split, type SplitFractions, splitOf } from "../datasets/split.ts";
import type { PreferencePair } from "./preference.ts";

const TRIES = 64; // Answers of other problems that are tried before a wrong one is made of the right one.

/**
 * One pair per problem, with the split that `load_prompts` gives the same prompt. The rejected completion is the answer
 * of another problem that the task's verifier refuses; a function of seed and parameters alone.
 */
export function generatePreferences(
  task: Task,
  name: string,
  options: Readonly<Record<string, unknown>>,
  { seed, splits }: { readonly seed: number; readonly splits: SplitFractions },
): (PreferencePair & { readonly split: Split })[] {
  const problems = task.rows(task.params.parse(options));
  return problems.map((problem, row) => ({
    prompt: problem.prompt,
    chosen: problem.answer,
    rejected: wrongAnswer(task, name, problems, row, seed),
    split: splitOf(problem.splitKey ?? problem.prompt, splits),
  }));
}

/** An answer that is wrong for the problem in `row`. Throws a RangeError where the task has no two answers. */
function wrongAnswer(task: Task, name: string, problems: readonly TaskRow[], row: number, seed: number): string {
  const { prompt, answer, columns = {} } = problems[row]!, asked = { prompt, answer, verifier: name, ...columns };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const other = problems[integer(seed, "preferences", 0, row, attempt, problems.length)]!.answer;
    if (other !== answer && !task.verify(other, asked)) return other;
  }
  throw new RangeError(
    `Cannot make a preference of ${
      JSON.stringify(prompt)
    }: none of ${TRIES} answers of other problems is wrong for it, ` +
      "want a task with more than one answer",
  );
}
