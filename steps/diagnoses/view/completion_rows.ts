/** The completions of a view, from the table `completions` of any run. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../../data/tables/mod.ts";
import { numberGroups } from "../../../data/statistics/mod.ts";
import type { Completion } from "./run_view.ts";

/** Completions of our runs whose text is read: texts cost more than numbers, and shares of 128 are exact enough. */
const MOST = 128;

/** Every completion of a foreign log; of a run of ours whole groups of the last train step that has any. */
export function completionRows(table: ColumnTable | undefined, own: boolean): Completion[] {
  if (table === undefined || table.numRows() === 0) return [];
  const column = <T>(name: string): ArrayLike<T | null> =>
    table.column(name) ? columnArray(table, name) as ArrayLike<T> : [];
  const rewards = table.columnNames().filter((name) => name.startsWith("reward."))
    .map((name) => [name.slice("reward.".length), column<number>(name)] as const);
  const steps = column<number>("train_step"), prompts = column<string>("prompt"), texts = column<string>("text");
  const answers = column<string>("answer"), truncated = column<boolean>("truncated"), cut = column<boolean>("cut");
  const tokens = column<number>("completion_tokens"), reward = column<number>("reward");
  const advantage = column<number>("advantage"), correct = column<boolean>("correct");
  const masks = column<ArrayLike<number>>("completion_mask");
  const sources = column<string>("source"), lines = column<number>("line");
  const ids = column<number>("prompt_id") as ArrayLike<number>;
  const [from, to] = own ? judged(steps, ids, table.numRows()) : [0, table.numRows()];
  const numbers = own ? apart(table, ids, from, to) : ids;
  return Array.from({ length: to - from }, (_, i): Completion => {
    const row = from + i, mask = masks[row] ?? null;
    return {
      trainStep: steps[row] ?? null,
      promptId: numbers[row]!,
      prompt: prompts[row] ?? null,
      text: texts[row] ?? "",
      cut: cut[row] ?? false,
      answer: answers[row] ?? null,
      truncated: truncated[row] ?? null,
      tokens: tokens[row] ?? null,
      reward: reward[row] ?? null,
      rewards: Object.fromEntries(
        rewards.flatMap(([name, values]) => values[row] === undefined ? [] : [[name, values[row]!]]),
      ),
      advantage: advantage[row] ?? null,
      ...(own ? { correct: correct[row] ?? null, table: "completions" } : {}),
      ...(mask === null ? {} : { lossTokens: sum(mask) }),
      source: sources[row] ?? null,
      line: lines[row] ?? null,
    };
  });
}

/** First and one past the last row to read: the last train step, whole groups only, at least one. */
function judged(steps: ArrayLike<number | null>, ids: ArrayLike<number>, rows: number): [number, number] {
  let from = rows - 1;
  while (from > 0 && steps[from - 1] === steps[rows - 1]) from--;
  if (rows - from <= MOST) return [from, rows];
  let end = from + MOST;
  while (end > from && ids[end] === ids[end - 1]) end--;
  if (end > from) return [from, end];
  for (end = from + MOST; end < rows && ids[end] === ids[from]; end++);
  return [from, end];
}

/** A prompt drawn twice in a train step has two groups: the second gets a number of its own. Rows `from` to `to` have one. */
function apart(table: ColumnTable, ids: ArrayLike<number>, from: number, to: number): ArrayLike<number> {
  if (!table.column("sample")) return ids;
  const part = (values: ArrayLike<number>) => Array.prototype.slice.call(values, from, to) as number[];
  const own = part(ids), groups = numberGroups(own, part(columnArray(table, "sample") as ArrayLike<number>));
  const firsts = new Map<number, number>(), numbers: number[] = [];
  own.forEach((id, i) => {
    if (!firsts.has(id)) firsts.set(id, groups[i]!);
    numbers[from + i] = firsts.get(id) === groups[i] ? id : -1 - groups[i]!;
  });
  return numbers;
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
