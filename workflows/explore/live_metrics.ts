/** The metrics of a run that goes on: its segments, and behind them the train steps that only its events tell of yet. @module */
import type { ColumnTable } from "arquero";
import { TABLES } from "../../data/columns.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { columnArray, concatTables, tableOfRows } from "../../data/tables/mod.ts";

/** The table `metrics` with the train steps that no segment holds yet. */
export function withEvents(folder: RunFolder): ColumnTable {
  const stored = folder.table("metrics");
  if (folder.manifest.status !== "running") return stored;
  const steps = stored.numRows() ? Array.from(columnArray(stored, "train_step") as ArrayLike<number>) : [];
  const last = steps.reduce((most, step) => Math.max(most, step), 0);
  const rows = folder.events().events.filter(({ event, train_step }) =>
    event === "train_step" && Number(train_step) > last
  );
  if (rows.length === 0) return stored;
  return concatTables("metrics", [stored, tableOfRows("metrics", rows.map(metricsOf))].filter((t) => t.numRows() > 0));
}

/** An event of a train step as a row: of its keys those that are metrics. */
export function metricsOf(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(event).filter(([name]) => Object.hasOwn(TABLES.metrics, name)));
}
