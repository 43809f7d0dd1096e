/**
 * The verdict on a run that is over: the whole run judged once more from its stored tables, as `diagnose RUN` does.
 * @module
 */
import { messageOf } from "../../data/error_text.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { storedTables } from "../../data/stored_tables.ts";
import { findingsTable } from "../../steps/diagnose.ts";
import { diagnoseRun } from "../../steps/diagnoses/diagnose_run.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";
import type { RunState } from "./run_state.ts";

/** What run.json and the last event keep of it. */
export type RunVerdict = NonNullable<RunManifest["verdict"]>;

/**
 * The verdict on a run whose rows are all stored; what its steps did not find becomes a finding of its last train step.
 * Null for a run without a train step. A rule that throws is told and fails no run.
 */
export function judge(state: RunState): RunVerdict | null {
  const { trainStep } = state.tables;
  if (trainStep === 0) return null;
  try {
    const { verdict, findings, reasons, missing } = diagnoseRun(tableView(storedTables(state.folders.run).rows));
    state.found(findingsTable(findings, trainStep));
    state.findings.end(findings.map(({ cause }) => cause));
    const causes = findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause);
    return { verdict, causes, reasons: [...reasons], missing: [...missing] };
  } catch (error) {
    state.message(`Cannot judge the run: ${messageOf(error)}`);
    return null;
  }
}
