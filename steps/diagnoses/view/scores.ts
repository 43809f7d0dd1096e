/** What evaluations measured: the share of the same prompts solved, over the run. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../../data/tables/mod.ts";
import type { Evidence } from "./evidence.ts";
import { recordsOf } from "./numbers.ts";
import type { RunView, ScoreSeries } from "./run_view.ts";

interface Growing {
  readonly name: string;
  readonly split: string | null;
  readonly mode: string;
  readonly prompts: number;
  readonly trainSteps: number[];
  readonly values: number[];
}

const HASH_START = 17, HASH_FACTOR = 31; // Of the hash of the prompts' numbers, in their order.

/** The series in rows of the table `evaluations`; `prompts` says which split a prompt is of. */
export function scoresOf(evaluations: ColumnTable, prompts: ColumnTable | undefined): ScoreSeries[] {
  const column = <T>(name: string) => columnArray(evaluations, name) as ArrayLike<T>;
  if (evaluations.numRows() === 0) return [];
  const steps = column<number>("train_step"), writers = column<string>("step_id"), modes = column<string>("mode");
  const ids = column<number>("prompt_id"), correct = column<boolean | null>("correct");
  const series = new Map<string, Growing>();
  for (let from = 0, to = 0; from < steps.length; from = to) {
    let [solved, hash] = [0, HASH_START];
    while (
      to < steps.length && steps[to] === steps[from] && writers[to] === writers[from] && modes[to] === modes[from]
    ) {
      if (correct[to] === true) solved++;
      hash = (Math.imul(hash, HASH_FACTOR) + ids[to]!) | 0;
      to++;
    }
    const key = `${modes[from]} ${to - from} ${hash}`;
    let entry = series.get(key);
    if (entry === undefined) {
      const split = splitOf(prompts, ids[from]!);
      const name = `correct (${split === null ? "" : `${split}, `}${modes[from]})`;
      entry = { name, split, mode: modes[from]!, prompts: to - from, trainSteps: [], values: [] };
      series.set(key, entry);
    }
    entry.trainSteps.push(steps[from]!);
    entry.values.push(solved / (to - from));
  }
  return [...series.values()];
}

function splitOf(prompts: ColumnTable | undefined, id: number): string | null {
  if (prompts === undefined || prompts.numRows() === 0) return null;
  const row = Array.prototype.indexOf.call(columnArray(prompts, "prompt_id"), id);
  return row < 0 ? null : String(columnArray(prompts, "split")[row]);
}

/** The series of a run: ours from its table, a foreign log's from its evaluation records. */
export function scores(view: RunView): readonly ScoreSeries[] {
  if (view.scores.length > 0) return view.scores;
  return view.memo("scores", () =>
    ["accuracy", "reward"].flatMap((name) => {
      const cells = view.evaluation(name);
      const known = recordsOf(cells);
      if (known.length === 0) return [];
      return [{
        name: `eval_${name}`,
        split: null,
        mode: null,
        prompts: null,
        trainSteps: known.map((record) => view.evaluationSteps[record] ?? NaN),
        values: known.map((record) => cells[record]!),
        shown: known.map((record) => view.evaluationEvidence(name, record)),
      }];
    }));
}

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
