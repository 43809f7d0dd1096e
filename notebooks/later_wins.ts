/** One row per train step of a log that was resumed: of a step that it has twice the later values are drawn. @module */
import { PHASE, type Row } from "./charts/chart.ts";

/** Rows of one phase and train step as one, in the order of the first: a later value wins, an absent one leaves the earlier. */
export function laterWins(rows: readonly Row[]): readonly Row[] {
  const steps = Map.groupBy(rows, (row) => JSON.stringify([row[PHASE] ?? null, row["train_step"] ?? null]));
  if (steps.size === rows.length) return rows;
  return [...steps.values()].flatMap((members) => {
    if ((members[0]!["train_step"] ?? null) === null) return members;
    const there = (row: Row) => Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
    return [members.reduce((earlier, later) => ({ ...earlier, ...Object.fromEntries(there(later)) }))];
  });
}
