/** Metrics that stand still to the last digit while a run goes on: no batch is like another, so they are not measured. @module */
import { recordsOf, show } from "./numbers.ts";
import { paid, since } from "./progress.ts";
import { levelOf } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { taskScores } from "./scores.ts";
import { spreadOf } from "./spread.ts";

/** Records in a row with one value; records before them, of which so many neighbours at most are equal; digits they want. */
const SAME = 20, BEFORE = 5, EQUAL = 0.2, DIGITS = 100;
const EVALUATIONS = 6; // Evaluations with one score that are no accident of few prompts.
/** What decides of a run, and what is only told of. */
const GRAVE = ["loss", "policy_loss", "reward", "chosen_reward"],
  TOLD = ["grad_norm", "entropy", "kl", "reward_margin"];
/** What is never 0 by itself: of others a 0 has rules of its own. */
const NEVER_ZERO: readonly string[] = ["entropy", "completion_length"];

/** A metric and its last records, which have one value. */
interface Frozen {
  readonly isGrave: boolean;
  readonly says: string;
}

/** Metrics of the last records of a log, and scores of all evaluations, that have one value. */
export function frozen(view: RunView): readonly Frozen[] {
  if (!view.imported) return [];
  const metrics = [...GRAVE, ...TOLD, "completion_length"].flatMap((name) => {
    const says = still(view, name);
    return says === null ? [] : [{ isGrave: GRAVE.includes(name), says }];
  });
  const says = stillScore(view);
  return says === null ? metrics : [...metrics, { isGrave: true, says }];
}

function still(view: RunView, name: string): string | null {
  const cells = view.column(name), known = recordsOf(cells), value = cells[known.at(-1) ?? -1];
  const from = known.findLastIndex((record) => cells[record] !== value) + 1, count = known.length - from;
  if (value === undefined || value === null || count < SAME || isUsual(view, name, known.slice(from), value)) {
    return null;
  }
  const equal = known.slice(1, from).filter((record, i) => cells[record] === cells[known[i]!]).length;
  const moved = from >= BEFORE && equal <= EQUAL * from;
  if (!moved && (from > 0 || value !== 0 && Math.abs(value) <= DIGITS * view.rounding(name))) return null;
  return `${name} is ${show(value)} to the last digit on the last ${count} of ${known.length} records that print it`;
}

/** A value that many batches have by themselves. */
function isUsual(view: RunView, name: string, records: readonly number[], value: number): boolean {
  if (value === 0) return !NEVER_ZERO.includes(name);
  if (name === "completion_length") return true;
  if (name !== "reward") return false;
  const { flat } = spreadOf(view), differ = records.some((record) => flat[record] === false);
  return records.some((record) => flat[record] === true) || !differ && levelOf(view, value) !== "between";
}

/** A held-out score that is the same each time, while the reward rises. */
function stillScore(view: RunView): string | null {
  const found = taskScores(view).find(({ values }) =>
    values.length >= EVALUATIONS && values[0]! < 1 && values.every((value) => value === values[0])
  );
  const reward = view.isWhole ? paid(view) : null;
  if (found === undefined || reward === null || since(reward, view.trainSteps[0]!).direction !== "rises") return null;
  return `${found.name} is ${
    show(found.values[0])
  } in all ${found.values.length} evaluations while the reward rises: ` +
    "they may ask another model than the one that is trained";
}
