/** When a finding holds, in the words of the page's language; in English as every report has it. @module */
import { LISTED } from "../../../data/listed_train_steps.ts";
import { stepsText } from "../../../notebooks/pages/where.ts";
import type { Strings } from "./strings_en.ts";

interface When {
  readonly began?: number;
  readonly train_steps?: readonly number[];
  readonly counts?: "records";
}

/** What a number of a train step is the number of. */
export const stepName = ({ counts }: Pick<When, "counts">, say: Strings) =>
  counts === "records" ? say.record : say.trainStep;

/** "since train step 12"; "" where none is known. */
export function whenSaid(finding: When, say: Strings): string {
  const { began, train_steps: steps = [] } = finding, word = stepName(finding, say);
  if (began !== undefined) return say.since(word, began);
  if (steps.length === LISTED) return say.fromOn(word, steps[0]!);
  return steps.length === 0 ? "" : say.at(word, stepsText(steps).replace(" to ", ` ${say.to} `));
}
