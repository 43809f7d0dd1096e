/** The true boxes of a prompt, from the column `answer`. @module */
import { hasArea } from "../../../data/boxes/iou.ts";
import { type FoundBox, readBoxes } from "../../../data/boxes/read_boxes.ts";
import { printable } from "../../../data/printable.ts";
import type { RewardBatch } from "../reward.ts";

/** Characters of an answer in an error. */
const SHOWN = 80;

/**
 * The boxes of completion i's answer, none where it says No Objects; null for a prompt without an answer, which cannot
 * be judged. Throws RangeError for another text: a wrong answer in the data would be a reward that is always 0.
 */
export function wantedBoxes(reward: string, batch: RewardBatch, i: number): readonly FoundBox[] | null {
  return wanted(reward, batch, i, boxesProblem);
}

/** The one box of an answer; null for a prompt without an answer. Throws RangeError for none or several. */
export function wantedBox(reward: string, batch: RewardBatch, i: number): FoundBox | null {
  return wanted(reward, batch, i, oneBoxProblem)?.[0] ?? null;
}

function wanted(reward: string, { answers, rows }: RewardBatch, i: number, problemOf: typeof boxesProblem) {
  const answer = answers[i]!;
  if (answer.trim() === "") return null;
  const problem = problemOf(answer);
  if (problem === null) return readBoxes(answer).boxes;
  throw new RangeError(
    `Cannot score with reward "${reward}": the answer of prompt ${rows[i]?.["prompt_id"]} is ${
      shown(answer)
    }: ${problem}`,
  );
}

/** Why an answer holds no true boxes, and what to do; null for one that does, and for none. */
export function boxesProblem(answer: string): string | null {
  if (answer.trim() === "") return null;
  const { boxes, problem } = readBoxes(answer), flat = boxes.findIndex(({ box }) => !hasArea(box));
  const wrong = problem ??
    (flat < 0 ? null : `its box ${flat + 1} is [${boxes[flat]!.box.join(", ")}], which covers nothing`);
  return wrong === null
    ? null
    : `${wrong}, want boxes as [{'Position': [left, top, right, bottom]}] or No Objects; mend the column answer of the prompts`;
}

/** The same where one box is wanted. */
export function oneBoxProblem(answer: string): string | null {
  const problem = boxesProblem(answer), count = readBoxes(answer).boxes.length;
  if (problem !== null || answer.trim() === "" || count === 1) return problem;
  return `it has ${count} boxes, want one; for several take reward "visual/iou"`;
}

function shown(answer: string): string {
  return `"${printable(answer.length > SHOWN ? `${answer.slice(0, SHOWN)}…` : answer)}"`;
}
