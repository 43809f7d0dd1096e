/** Where a finding holds and where its evidence is written, in the words of every report. @module */
import { LISTED } from "../../data/listed_train_steps.ts";

/** What is known of the place of a row of evidence. */
interface Placed {
  readonly table?: string;
  readonly source?: string | null;
  readonly line?: number | null;
  readonly train_step?: number | null;
}

/** What a number of a train step is the number of. */
export const stepWord = ({ counts }: { readonly counts?: "records" }) => counts === "records" ? "record" : "train step";

/** `file:line` of an evidence row, with its train step where others of them stand in that line; of a run of ours its table and train step. */
export function placeOf(evidence: Placed, beside: readonly Placed[] = [], word = "train step"): string {
  const { table, source = null, line = null, train_step: step = null } = evidence;
  const at = step === null ? [] : [`${word} ${step}`];
  if (table !== undefined) return [table, ...at].join(", ");
  if (source === null) return at[0] ?? "run";
  const isShared = beside.some((other) =>
    other.source === source && (other.line ?? null) === line && (other.train_step ?? null) !== step
  );
  return [line === null ? source : `${source}:${line}`, ...(isShared ? at : [])].join(", ");
}

/** "since train step 12" of a trend, which lasts; else "train step 12 to 40"; "" where no train step is known. */
export function whenText(
  { began, train_steps }: { readonly began?: number; readonly train_steps: readonly number[] },
  counted: { readonly counts?: "records" } = {},
): string {
  const word = stepWord(counted), steps = stepsText(train_steps);
  if (began !== undefined) return `since ${word} ${began}`;
  // A list that is full says nothing of where it ends.
  return train_steps.length === LISTED ? `from ${word} ${train_steps[0]} on` : steps && `${word} ${steps}`;
}

/** "12", "12 to 40" or "12, 15, 19". */
export function stepsText(steps: readonly number[]): string {
  if (!steps.length) return "";
  const first = steps[0]!, last = steps.at(-1)!;
  if (steps.length === 1) return `${first}`;
  return last - first + 1 === steps.length || steps.length > 6 ? `${first} to ${last}` : steps.join(", ");
}
