/** The completions of a view, from the table `completions` of any run. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../../data/tables/mod.ts";
import { groupNumbers } from "../../../data/statistics/groups.ts";
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
  const numbers = own ? apart(table, ids, from) : ids;
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

/** A prompt drawn twice in a train step has two groups: the second gets a number of its own. */
function apart(table: ColumnTable, ids: ArrayLike<number>, from: number): ArrayLike<number> {
  if (!table.column("sample")) return ids;
  const groups = groupNumbers(from === 0 ? table : table.slice(from));
  const firsts = new Map<number, number>();
  return Array.from(ids, (id, row) => {
    const group = groups[row - from];
    if (group === undefined) return id;
    if (!firsts.has(id)) firsts.set(id, group);
    return firsts.get(id) === group ? id : -1 - group;
  });
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
