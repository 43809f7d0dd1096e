/** Cause `forgetting`: the policy loses another task while it learns its own. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL, SMALLER_STEPS } from "./remedies/often.ts";
import {
  beginsAt,
  biggestFall,
  fallBeside,
  isBeyondChance,
  LEFT_BESIDE,
  neighbourVariance,
  shareVariance,
} from "./view/falls.ts";
import { percent, show, written } from "./view/numbers.ts";
import { gainText, paid, scoreSignal, type Signal, since } from "./view/progress.ts";
import type { RunView } from "./view/run_view.ts";
import type { ScoreSeries } from "./view/score_series.ts";
import { isOfOtherTask, scoreEvidence, scores } from "./view/scores.ts";

/** Standard errors of the fall: of prompts that are counted, and of a log that does not say how many they are. */
const SURE = { own: 3, imported: 4 } as const;
const LEAST = 6; // Evaluations between whose neighbours a scatter is seen.
const LOST = 0.15; // Share of its best level that another task loses.
const TAIL = 2; // Evaluations that are the end: one alone may be a bad one.

export default defineDiagnosis({
  codes: ["S03"],
  wastes: "wrong",
  about: "The run forgets: the score of another task falls while that of its own task rises or holds.",
  reads: ["evaluations.correct", "evaluations.accuracy", "evaluations.reward", "reward"],
  decision:
    written`Of several held-out data sets (in a run of ours: splits) one that the run is not judged by ends ${LOST} % below its best level and by ${SURE.imported} standard errors of neighbouring evaluations (at least ${LEAST} of them; where the number of prompts is known ${SURE.own} binomial ones), with 2 ln m more in the square for the m pairs of windows compared; standard errors are those of noise with the memory that the evaluations show, or of neighbours where no more than ${LEFT_BESIDE} % is left. Meanwhile the held-out score of the task itself rises, or neither it nor the reward falls; where no data set is the task's (none is called held out, validation or the like), another one rises; of one that is called general, old or the like what is paid rises.`,
  spoils: true,
  hint:
    "Hold the policy nearer to where it came from, or mix prompts of what it must not forget into those it is trained on.",
  remedy: [...MORE_KL, SMALLER_STEPS],
  byHand: "Mix prompts of the other task into the training data, and go on from a checkpoint before the fall.",
  lookAlikes: {
    reward_collapse: "there the task's own score falls",
    reward_hacking: "there the task's own score falls while what is paid rises",
    overfitting: "there new prompts of the same task are answered worse",
  },
  taughtBy: "a run of ours: 54 % to 79 % of the sums of its task, 21 % to 1 % of those of the one before",
  check(view): Found | null {
    for (const series of scores(view)) {
      const fall = isTask(series) ? null : fallOf(series);
      const gained = fall === null ? null : gainBeside(view, series, fall.from);
      if (fall === null || gained === null) continue;
      const { trainSteps, values } = series, last = values.length - 1, begins = beginsAt(values, fall, TAIL);
      const level = values.every((value) => value >= 0 && value <= 1) ? percent : show;
      return {
        trainSteps: trainSteps.slice(begins),
        message: `${nameOf(series)} fell from ${level(fall.best)} (train step ${fall.from}) to ${
          level(fall.end)
        } while ${gained.text}`,
        evidence: [...new Set([fall.bestAt, begins, last])].map((at) => scoreEvidence(series, at)).concat(
          gained.signal.evidence(gained.signal.course.records.at(-1)!),
        ),
        ruledOut: { reward_collapse: gained.text },
      };
    }
    return null;
  },
});

/** What the run is judged by: in a log the set without a name, in a run of ours all but the validation prompts. */
function isTask({ dataSet, split }: ScoreSeries): boolean {
  return dataSet === undefined && split !== "validation";
}

function nameOf({ dataSet, split, name }: ScoreSeries): string {
  return dataSet !== undefined ? `The score of ${dataSet}` : split === null ? name : `The ${split} score`;
}

/** How far a series has fallen for good, beyond chance; null where it has not. */
function fallOf({ values, trainSteps, prompts }: ScoreSeries) {
  if (values.length < LEAST || !values.every(Number.isFinite)) return null;
  const variance = prompts === null ? neighbourVariance(values) : shareVariance(prompts);
  const most = biggestFall(values, variance, TAIL), sure = prompts === null ? SURE.imported : SURE.own;
  const fall = most !== null && isBeyondChance(most, sure) ? most : prompts === null ? fallBeside(values) : null;
  if (fall === null) return null;
  if (fall.best - fall.end < LOST * Math.abs(fall.best)) return null;
  return { ...fall, from: trainSteps[fall.bestAt]! };
}

/** What rises meanwhile, and how that is said; null where the task itself gains nothing. */
function gainBeside(view: RunView, fallen: ScoreSeries, from: number): { signal: Signal; text: string } | null {
  const others = scores(view).filter((series) => setOf(series) !== setOf(fallen));
  const tasks = others.filter(isTask), beside = tasks.length > 0 ? tasks : others;
  const judged = beside.flatMap((series) => {
    const signal = scoreSignal(series), what = signal && since(signal, from);
    return signal === null || what === null ? [] : [{ signal, since: what }];
  });
  const rising = judged.find(({ since }) => since.direction === "rises");
  if (rising !== undefined) return { signal: rising.signal, text: gainText(rising) };
  const reward = paid(view), isOther = isOfOtherTask(fallen);
  if (reward === null || !isOther && (tasks.length === 0 || judged.length === 0)) return null;
  const holds = judged.every(({ since }) => since.direction !== "falls");
  const ofReward = since(reward, from);
  // Where nothing held out is of the task itself, what is paid must rise.
  return holds && (isOther && judged.length === 0 ? ofReward.direction === "rises" : ofReward.direction !== "falls")
    ? { signal: reward, text: gainText({ signal: reward, since: ofReward }) }
    : null;
}

const setOf = ({ dataSet, split }: ScoreSeries) => dataSet ?? split;
