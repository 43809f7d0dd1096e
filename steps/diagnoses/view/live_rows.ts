/** The tables of a run that is going on, as its steps see them. @module */
import type { ColumnTable } from "arquero";
import type { RunRows } from "../../../data/run_rows.ts";
import { columnArray } from "../../../data/tables/mod.ts";
import type { StepContext } from "../../step.ts";

/** Train steps of which evaluations are looked at, at least: a score is compared with earlier ones. */
const EVALUATED = 1024;

/**
 * The last `window` train steps of metrics, updates and messages, this train step's completions, and the evaluations of
 * that window, or of as many train steps as are in memory anyway.
 */
export function liveRows(context: StepContext, window: number): RunRows {
  return {
    tables: {
      metrics: context.history("metrics", window),
      updates: context.history("updates", window),
      messages: context.history("messages", window),
      evaluations: context.history("evaluations", Math.max(window, EVALUATED)),
      prompts: context.table("prompts"),
      settings: context.table("settings"),
      completions: context.table("completions"),
    },
    log: null,
  };
}

/** The rows as they stood after an earlier train step; completions stay those that there are. */
export function rowsUntil({ tables, log }: RunRows, trainStep: number): RunRows {
  const until = (table: ColumnTable | undefined) => {
    if (!table?.column("train_step")) return table;
    const steps = columnArray(table, "train_step") as ArrayLike<number | null>;
    let end = steps.length;
    while (end > 0 && (steps[end - 1] ?? 0) > trainStep) end--;
    return end === steps.length ? table : table.slice(0, end).reify();
  };
  const cut = ["metrics", "updates", "messages", "evaluations"] as const;
  const earlier = Object.fromEntries(cut.map((name) => [name, until(tables[name])]));
  return { tables: { ...tables, ...earlier } as RunRows["tables"], log };
}
