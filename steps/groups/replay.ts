/** Drop-ins for groups that taught nothing: groups of earlier train steps that did. @module */
import type { ColumnTable } from "arquero";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import type { JudgedGroup } from "./judge.ts";
import { pickRows } from "./rows.ts";

interface Replay {
  /** The current train step: its rows are left out. */
  readonly trainStep: number;
  /** Groups wanted. */
  readonly count: number;
  /** Completions of a group: others do not fit. */
  readonly size: number;
  /** Prompts that need no second group. */
  readonly present: ReadonlySet<number>;
  readonly judge: (completions: ColumnTable) => readonly JudgedGroup[];
}

/**
 * Up to `count` groups that pass the filter, of other prompts, those of the latest train steps first; rows that were
 * replayed themselves are left out. With their train step in `replayed_from`.
 */
export function replayedGroups(
  history: ColumnTable,
  { trainStep, count, size, present, judge }: Replay,
): ColumnTable | null {
  if (!history.numRows() || count < 1) return null;
  const steps = columnArray(history, "train_step") as ArrayLike<number>;
  const replayed = history.column("replayed_from") ? columnArray(history, "replayed_from") : [];
  const own = (row: number) => replayed[row] === null || replayed[row] === undefined;
  const seen = new Set(present), rows: number[] = [];
  for (const step of [...new Set(Array.from(steps))].filter((step) => step < trainStep).sort((a, b) => b - a)) {
    const at = Array.from(steps).flatMap((of, row) => of === step && own(row) ? [row] : []);
    if (!at.length) continue;
    for (const group of judge(pickRows(history, at))) {
      if (rows.length >= count * size) break;
      if (!group.passed || group.rows.length !== size || seen.has(group.promptId)) continue;
      seen.add(group.promptId);
      rows.push(...group.rows.map((row) => at[row]!));
    }
  }
  if (!rows.length) return null;
  return withOrigin(pickRows(history, rows), rows.map((row) => steps[row]!), trainStep);
}

function withOrigin(completions: ColumnTable, from: readonly number[], trainStep: number): ColumnTable {
  return completions.assign(
    tableOf("completions", { replayed_from: from, train_step: from.map(() => trainStep) }),
  );
}
