/** The tables of a run that is going on, as its steps see them. @module */
import type { RunRows } from "../../../data/run_rows.ts";
import type { StepContext } from "../../step.ts";

/** The last `window` train steps of metrics, updates and messages, this train step's completions, every evaluation. */
export function liveRows(context: StepContext, window: number): RunRows {
  return {
    tables: {
      metrics: context.history("metrics", window),
      updates: context.history("updates", window),
      messages: context.history("messages", window),
      evaluations: context.history("evaluations", context.trainStep + 1),
      prompts: context.table("prompts"),
      settings: context.table("settings"),
      completions: context.table("completions"),
    },
    log: null,
  };
}
