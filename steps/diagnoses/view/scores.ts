/** What evaluations measured: the share of the same prompts solved, over the run. @module */
import type { ColumnTable } from "arquero";
import { TABLES } from "../../../data/columns.ts";
import { columnArray } from "../../../data/tables/mod.ts";
import { isOtherTask, saysNoScore } from "../../../data/adapters/intake/score_words.ts";
import type { Evidence } from "./evidence.ts";
import { isReinforcement } from "./groups.ts";
import { recordsOf } from "./numbers.ts";
import { goalsOf, kindOf } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import type { ScoreSeries } from "./score_series.ts";

/** One evaluation in one mode. */
interface Asked {
  readonly mode: string;
  readonly split: string | null;
  readonly trainStep: number;
  /** Which prompts, in their order, and whether each was solved. */
  readonly ids: readonly number[];
  readonly correct: readonly (boolean | null)[];
}

/** Prompts that two evaluations of different limits must have in common to be compared. */
const COMMON = 20;

/**
 * The series in rows of the table `evaluations`: the same prompts in the same mode. `prompts` says which split a prompt is
 * of. A last evaluation that asked others than before is compared by those prompts that an earlier one had too.
 */
export function scoresOf(evaluations: ColumnTable, prompts: ColumnTable | undefined): ScoreSeries[] {
  const groups: Asked[][] = [], modes = new Map<string, Asked[]>();
  const alikeTo = (asked: Asked) => groups.find(([first]) => isAlike(first!, asked));
  for (const asked of askedIn(evaluations, prompts)) {
    const group = alikeTo(asked), key = `${asked.mode} ${asked.split}`, mode = modes.get(key);
    if (group === undefined) groups.push([asked]);
    else group.push(asked);
    if (mode === undefined) modes.set(key, [asked]);
    else mode.push(asked);
  }
  const alike = groups.map((group) => seriesOf(group, null));
  const partly = [...modes.values()].flatMap((group) => {
    const last = group.at(-1)!;
    if (alikeTo(last)!.length > 1) return [];
    const common = group.slice(0, -1).map((earlier) => ({ earlier, ids: shared(earlier, last) }));
    const best = common.sort((a, b) => b.ids.length - a.ids.length)[0];
    return best === undefined || best.ids.length < COMMON ? [] : [seriesOf([best.earlier, last], best.ids)];
  });
  return [...alike, ...partly];
}

function isAlike(one: Asked, other: Asked): boolean {
  return one.mode === other.mode && one.ids.length === other.ids.length &&
    one.ids.every((id, i) => id === other.ids[i]);
}

function shared(one: Asked, other: Asked): number[] {
  const known = new Set(one.ids);
  return other.ids.filter((id) => known.has(id));
}

/** The share solved of some prompts; of all that were asked for null. */
function seriesOf(group: readonly Asked[], ids: readonly number[] | null): ScoreSeries {
  const { split, mode, ids: asked } = group[0]!, some = ids === null ? null : new Set(ids);
  return {
    name: `correct (${split === null ? "" : `${split}, `}${mode})`,
    split,
    mode,
    prompts: (ids ?? asked).length,
    trainSteps: group.map(({ trainStep }) => trainStep),
    values: group.map(({ ids: own, correct }) => {
      const solved = new Set(own.filter((id, i) => correct[i] === true && (some === null || some.has(id))));
      return (ids ?? asked).filter((id) => solved.has(id)).length / (ids ?? asked).length;
    }),
  };
}

/** The evaluations in the order of the table: rows of one step, train step and mode stand together. */
function askedIn(evaluations: ColumnTable, prompts: ColumnTable | undefined): Asked[] {
  if (evaluations.numRows() === 0) return [];
  const column = <T>(name: string) => columnArray(evaluations, name) as ArrayLike<T>;
  const steps = column<number>("train_step"), writers = column<string>("step_id"), modes = column<string>("mode");
  const ids = column<number>("prompt_id"), correct = column<boolean | null>("correct");
  const found: Asked[] = [];
  for (let from = 0, to = 0; from < steps.length; from = to) {
    while (
      to < steps.length && steps[to] === steps[from] && writers[to] === writers[from] && modes[to] === modes[from]
    ) to++;
    const part = <T>(cells: ArrayLike<T>): T[] => Array.prototype.slice.call(cells, from, to);
    const trainStep = steps[from]!, mode = modes[from]!, split = splitOf(prompts, ids[from]!);
    found.push({ mode, split, trainStep, ids: part(ids), correct: part(correct) });
  }
  return found;
}

function splitOf(prompts: ColumnTable | undefined, id: number): string | null {
  if (prompts === undefined || prompts.numRows() === 0) return null;
  const row = Array.prototype.indexOf.call(columnArray(prompts, "prompt_id"), id);
  return row < 0 ? null : String(columnArray(prompts, "split")[row]);
}

/** What evaluations of a log score; the share of pairs in order is one of named data sets only. */
const SCORES = ["accuracy", "reward"];
/** A score by its name behind that of its data set, as trainers and users write them: gsm8k_accuracy, math/pass@1. */
const NAMED =
  /^(.+?)[/_.-](accuracy|acc|score|exact(?:_match)?|correct|em|f1|pass(?:@|_at_|_)?\d+|(?:pass|success|solve|win|correct)_rate|success|solved|reward|preference_accuracy)(?:_mean)?$/i;
/** The same without a data set, or with what says "held out" behind it: of the run's own held-out prompts. */
const BARE =
  /^(?:(?:acc|score|exact(?:_match)?|correct|em|f1|pass(?:@|_at_|_)?\d+|(?:pass|success|solve|win|correct)_rate|success|solved)(?:_mean)?|(?:accuracy|acc|score|exact(?:_match)?|correct|em|f1|(?:pass|success|solve|win|correct)_rate)[_/.-](?:held_?out|val|validation|test|dev))$/i;
/** Folders of a log in which a data set's name alone is taken for its accuracy: of such, only what is a share is one. */
const FOLDER = /^(?:benchmarks?|evals|evaluations?|downstream)\//i;
const MOST = 100; // The same in percent.
/** Benchmarks that are printed by their name alone, or with the mean over several answers. */
const BENCHMARK =
  /^(?:mmlu|gsm8k|math(?:[-_]?500)?|aime(?:[-_]?(?:20)?2\d)?|amc(?:23)?|minerva(?:_math)?|olympiad(?:bench)?|humaneval|mbpp|arc(?:[-_](?:c|e|challenge|easy))?|hellaswag|winogrande|truthfulqa|ifeval|bbh|gpqa(?:[-_](?:diamond|main|extended))?|piqa|boolq|triviaqa|livecodebench)(?:[_/-](?:mean|avg)(?:@\d+)?)?$/i;
/** Names in front of a score that are those of the run's own held-out prompts. */
const OWN_SET = /^(?:held_?out|test|eval|val|valid|validation|dev|true|gold)(?:_?(?:set|split|data))?$/i;
/** True if a score says by its name that it is of something else than what the run is trained on. */
export function isOfOtherTask({ dataSet }: ScoreSeries): boolean {
  return dataSet !== undefined && isOtherTask(dataSet);
}

/** The series of a run: ours from its table, a foreign log's from its evaluation records. */
export function scores(view: RunView): readonly ScoreSeries[] {
  if (view.scores.length > 0) return view.scores;
  return view.memo("scores", () => [
    ...SCORES.flatMap((name) => recorded(view, name)),
    ...shareRight(view),
    ...goalsOf(view).flatMap(({ name, column }) => recorded(view, column, `the held-out ${name}`)),
    ...heldOutRewards(view),
    ...dataSets(view),
  ]);
}

/** Those of the data set that the run is judged by; all where none of several is. */
export function taskScores(view: RunView): readonly ScoreSeries[] {
  const all = scores(view), own = all.filter(({ dataSet }) => dataSet === undefined);
  return own.length > 0 ? own : all.filter((series) => !isOfOtherTask(series));
}

/** `eval_acc`: of a run on pairs the share of them in order, of one on rollouts the share of right answers. */
function shareRight(view: RunView): ScoreSeries[] {
  if (!isReinforcement(view)) return [];
  return recorded(view, "preference_accuracy").filter(({ name }) => /(?:^|[_/.\s-])acc(?:_mean)?$/i.test(name));
}

/** Reward functions that evaluations alone print, and that say what the task wants: nothing is learned from them. */
function heldOutRewards(view: RunView): ScoreSeries[] {
  return view.evaluated.flatMap((column) => {
    const name = /^reward\.(.+)$/.exec(column)?.[1];
    if (name === undefined || name === "total" || view.has(column) || kindOf(name) !== "goal") return [];
    return recorded(view, column);
  });
}

/** The series of data sets that the log names. */
function dataSets(view: RunView): ScoreSeries[] {
  return view.evaluated.flatMap((column) => {
    if (BARE.test(column)) return recorded(view, column);
    const ofFunction = /^(.+)\/reward\.[^/]+$/.exec(column)?.[1];
    const dataSet = BENCHMARK.test(column) ? column : ofFunction ?? NAMED.exec(column)?.[1];
    if (
      dataSet === undefined || isScoreOfHarm(column) || /\breward_std\./.test(column) ||
      /^reward(?:_std)?\./.test(column) ||
      Object.hasOwn(TABLES.metrics, column)
    ) return [];
    const series = recorded(view, column);
    return OWN_SET.test(dataSet) ? series : series.map((one) => ({ ...one, dataSet }));
  });
}

/** `toxicity_score`: what is to be small; an accuracy of telling what is toxic is none. */
function isScoreOfHarm(column: string): boolean {
  const of = /^(.+?)[/_.-](?:score|success|correct|(?:pass|success|solve|win|correct)_rate)(?:_mean)?$/i.exec(column)
    ?.[1];
  return of !== undefined && saysNoScore(of);
}

/** The series of a column of the evaluation records, by its printed name; none where it has no value, or none of a score. */
function recorded(view: RunView, column: string, name?: string): ScoreSeries[] {
  const cells = view.evaluation(column), known = recordsOf(cells);
  if (known.length === 0) return [];
  const printed = view.evaluationEvidence(column, known[0]!).name;
  if (FOLDER.test(printed) && /(?:^|\/)accuracy$/.test(column) && !isShare(known.map((record) => cells[record]!))) {
    return [];
  }
  return [{
    name: name ?? printed,
    column,
    split: null,
    mode: null,
    prompts: null,
    trainSteps: known.map((record) => view.evaluationSteps[record] ?? NaN),
    values: known.map((record) => cells[record]!),
    shown: known.map((record) => view.evaluationEvidence(column, record)),
  }];
}

const isShare = (values: readonly number[]) => values.every((value) => value >= 0 && value <= MOST);

/** The row that shows a score. */
export function scoreEvidence(series: ScoreSeries, at: number, note?: string): Evidence {
  const shown: Evidence = series.shown?.[at] ?? {
    table: "evaluations",
    source: null,
    line: null,
    train_step: series.trainSteps[at]!,
    name: series.name,
    value: series.values[at]!,
  };
  return note === undefined ? shown : { ...shown, note };
}
