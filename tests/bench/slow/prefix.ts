/** A run as it was at a train step: what was written later is not there yet. @module */
import type { ColumnTable } from "arquero";
import type { RunRows } from "../../../data/run_rows.ts";
import { columnArray } from "../../../data/tables/mod.ts";

/** The rows up to and with a train step. Steps that go back count where they stand. */
export function prefixOf({ tables, log }: RunRows, trainStep: number): RunRows {
  const cut = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, name === "settings" ? table : until(table, trainStep)]),
  );
  return {
    tables: cut,
    log: log && { ...log, evaluations: { ...log.evaluations, table: until(log.evaluations.table, trainStep)! } },
  };
}

function until(table: ColumnTable | undefined, trainStep: number): ColumnTable | undefined {
  if (table === undefined || !table.column("train_step")) return table;
  const steps = columnArray(table, "train_step") as ArrayLike<number | null>;
  const later = Array.prototype.findIndex.call(steps, (step: number | null) => step !== null && step > trainStep);
  return later < 0 ? table : table.slice(0, later).reify() as ColumnTable;
}
