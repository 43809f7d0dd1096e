/**
 * Judges a completion by the verifier its prompt names (column `verifier` of `prompts`): a task's, or one of those for
 * prompts from a file, with the options in column `verifier_options`.
 * @module
 */
import { type TaskName, TASKS } from "../mod.ts";
import type { PromptRow } from "../task.ts";
import { answerText } from "./answer_tag.ts";
import { PLAIN_VERIFIERS } from "./mod.ts";
import { sameAnswer } from "./same_answer.ts";
import type { Program, Verifier } from "./verifier.ts";

const PLAIN: Readonly<Record<string, Verifier>> = PLAIN_VERIFIERS;

/** True if the answer itself, and no other text, is right: what verifies is `sameAnswer`, a task's or the plain one. */
export function wantsAnswerItself(verifier: string): boolean {
  const task = Object.hasOwn(TASKS, verifier) ? TASKS[verifier as TaskName].verify : undefined;
  return (task ?? (Object.hasOwn(PLAIN, verifier) ? PLAIN[verifier]!.verify : undefined)) === sameAnswer;
}

/**
 * Whether the completion is right; null when the row names no verifier ("none": nothing is known to be right); a
 * program, where only running it tells. A row with an `answer_tag` has only the text in that tag judged; a completion
 * without it is wrong.
 */
export function verifyOrRun(completion: string, row: PromptRow): boolean | null | Program {
  const name = row.verifier;
  if (name === undefined || name === null || name === "none") return null;
  const answer = answerText(completion, row.answer_tag === null ? undefined : row.answer_tag as string | undefined);
  if (Object.hasOwn(TASKS, String(name))) return answer !== null && TASKS[name as TaskName].verify(answer, row);
  const verifier = Object.hasOwn(PLAIN, String(name)) ? PLAIN[String(name)]! : null;
  if (!verifier) {
    const known = [...Object.keys(PLAIN), ...Object.keys(TASKS)].join(", ");
    throw new RangeError(`Cannot verify completions: "${name}" is no verifier; want ${known}`);
  }
  if (answer === null) return false;
  const options = optionsOf(verifier, row);
  return verifier.verify ? verifier.verify(answer, row, options) : verifier.program!(answer, row, options) ?? false;
}

/** As `verifyOrRun`, for verifiers that run nothing. Throws Error for one that does. */
export function verify(completion: string, row: PromptRow): boolean | null {
  const found = verifyOrRun(completion, row);
  if (typeof found !== "object" || found === null) return found;
  throw new Error(`Cannot verify a completion by "${row.verifier}" here: it runs code; judge it in the sandbox`);
}

/** Options that were read, by their text: rows share them. */
const READ = new Map<Verifier, Map<string, unknown>>();

function optionsOf(verifier: Verifier, { verifier_options }: PromptRow): unknown {
  const text = typeof verifier_options === "string" ? verifier_options : JSON.stringify(verifier_options ?? {});
  const known = READ.get(verifier) ?? new Map<string, unknown>();
  READ.set(verifier, known);
  if (!known.has(text)) known.set(text, verifier.params.parse(JSON.parse(text)));
  return known.get(text);
}
