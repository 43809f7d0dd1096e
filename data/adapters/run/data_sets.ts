/** Which data set the evaluations of a log are of, where it names several. @module */
import { inDataSet, nameInfo } from "../intake/name_info.ts";
import { isOtherTask } from "../intake/score_words.ts";
import type { WideTable } from "./wide_table.ts";

/** What a Hugging Face trainer prints for each of its evaluation sets, behind the set's name. */
const CLOCK = /^(.+)_(?:runtime|samples_per_second)$/;
/** Names of the set that a run is judged by, beside which others are asked as well. */
const OWN_TASK = /^(?:held[-_]?out|val|valid|validation|eval|evaluation|dev|test|in[-_]?domain|main|default)$/i;

/**
 * Gives every data set of an evaluation columns of its own, `<set>/<metric>`, and those of the one that the run is judged by
 * (the only one, unless its name says another task, or one that is called held out) the plain names.
 */
export function nameDataSets(wide: WideTable): void {
  for (const [from, to] of underscored(wide)) rename(wide, from, to);
  splitByRecord(wide);
  const named = [...wide.columns.keys()].flatMap((column) => {
    const at = column.lastIndexOf("/"), metric = column.slice(at + 1);
    return at > 0 && isMetric(metric) ? [{ column, metric, dataSet: column.slice(0, at) }] : [];
  });
  const dataSets = [...new Set(named.map(({ dataSet }) => dataSet))], only = dataSets.length === 1;
  const own = only && !isOtherTask(dataSets[0]!) ? dataSets[0] : dataSets.find((dataSet) => OWN_TASK.test(dataSet));
  for (const { column, metric, dataSet } of named) if (dataSet === own) rename(wide, column, metric);
}

/**
 * TRL's trainers of completions name the set in what is timed alone (`eval_add_runtime`), and print what they measure of each
 * set under one name (`eval_reward`): each record is then of the set that is timed in it.
 */
function splitByRecord({ rows, columns, printed }: WideTable): void {
  const timed = [...columns].flatMap(([column, cells]) => {
    const set = CLOCK.exec(column)?.[1];
    return set === undefined ? [] : [{ set, cells }];
  });
  const sets = [...new Set(timed.map(({ set }) => set))];
  if (sets.length < 2) return;
  const setAt = Array.from({ length: rows }, (_, row) => timed.find(({ cells }) => (cells[row] ?? null) !== null)?.set);
  for (const [column, cells] of [...columns]) {
    const isShared = sets.every((set) => setAt.some((at, row) => at === set && (cells[row] ?? null) !== null));
    if (!isShared || !isMetric(column)) continue;
    for (const set of sets) {
      const name = inDataSet(set, column);
      if (columns.has(name)) continue;
      columns.set(name, cells.map((cell, row) => setAt[row] === set ? cell : null));
      printed.set(name, printed.get(column)!);
    }
    columns.delete(column);
    printed.delete(column);
  }
}

/** `gsm8k_reward` of a set of which `gsm8k_runtime` is printed as well: others are names of their own. */
function underscored({ columns }: WideTable): [string, string][] {
  const sets = new Set([...columns.keys()].flatMap((column) => CLOCK.exec(column)?.[1] ?? []));
  return [...sets].flatMap((set) =>
    [...columns.keys()].flatMap((column): [string, string][] => {
      if (!column.startsWith(`${set}_`)) return [];
      const info = nameInfo(`eval_${column.slice(set.length + 1)}`);
      return info.mapped && info.mul === 1 ? [[column, inDataSet(set, info.column)]] : [];
    })
  );
}

function isMetric(name: string): boolean {
  const { mapped, column } = nameInfo(name);
  return mapped && column === name || /^reward(?:_std)?\../.test(name);
}

/** What has the new name already keeps it. */
function rename({ columns, printed }: WideTable, from: string, to: string): void {
  if (columns.has(to)) return;
  for (const map of [columns, printed] as Map<string, unknown>[]) {
    map.set(to, map.get(from));
    map.delete(from);
  }
}
