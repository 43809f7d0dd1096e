/** Which rows of `metrics` of a run of ours a diagnosis reads: those of one trainer, never a mixture. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../../data/tables/mod.ts";

/** Who wrote a row: updates on rollouts, on preferences, of a reward model, or a supervised warm start. */
type Phase = "rollout" | "preference" | "reward_model" | "sft";

/** What is judged: the trainer that was at work last; a warm start only where there is nothing else. */
export interface Judged {
  readonly phase: Phase;
  /** Its rows. */
  readonly rows: readonly number[];
  /** Rows of a warm start before it. */
  readonly before: readonly number[];
}

/** Reads the column `phase`; completions of a train step that has no row yet are of a rollout. */
export function judgedRows(metrics: ColumnTable | undefined, completions: ColumnTable | undefined): Judged {
  const count = metrics?.numRows() ?? 0;
  const written = metrics?.column("phase") ? columnArray(metrics, "phase") as ArrayLike<Phase | null> : [];
  const phases = Array.from({ length: count }, (_, row): Phase => written[row] ?? "rollout");
  const rowsOf = (phase: Phase) => phases.flatMap((of, row) => of === phase ? [row] : []);
  const last = phases.findLast((phase) => phase !== "sft") ?? null, before = rowsOf("sft");
  const sampling = (completions?.numRows() ?? 0) > 0 &&
    (last === null || lastStep(completions!) > lastStep(metrics!, phases.findLastIndex((phase) => phase !== "sft")));
  const phase = sampling || count === 0 ? "rollout" : last ?? "sft";
  return phase === "sft" ? { phase, rows: before, before: [] } : { phase, rows: rowsOf(phase), before };
}

function lastStep(table: ColumnTable, row = table.numRows() - 1): number {
  return table.column("train_step") ? (columnArray(table, "train_step")[row] as number | null) ?? 0 : 0;
}
