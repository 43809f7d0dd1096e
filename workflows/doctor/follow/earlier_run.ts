/** A run as it stood some records ago. @module */
import type { ColumnTable } from "arquero";
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";

/** The run without its last records, and without the completions and messages of their train steps. */
export function earlierRun(run: ImportedRun, less: number): ImportedRun {
  const { tables } = run.rows, all = tables.metrics;
  if (!all) return run;
  const metrics = all.slice(0, Math.max(0, all.numRows() - less)).reify();
  const last = metrics.numRows() === 0 ? 0 : metrics.get("train_step", metrics.numRows() - 1) as number;
  const until = (table: ColumnTable | undefined) =>
    table?.column("train_step")
      ? table.params({ last }).filter((row: { train_step: number | null }, $: { last: number }) =>
        row.train_step === null || row.train_step <= $.last
      ).reify()
      : table;
  const cut = { ...tables, metrics, completions: until(tables.completions), messages: until(tables.messages) };
  return { ...run, rows: { ...run.rows, tables: cut as typeof tables } };
}
