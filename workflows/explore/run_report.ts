/** The report of a run as it stands at this moment: also of one that goes on, or was killed. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import type { ReportData } from "../../notebooks/pages/report.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { readReport } from "../run/write_report.ts";
import { shownStatus } from "./find_run.ts";
import { withEvents } from "./live_metrics.ts";

/** What the report shows; of a run without an end with the train steps that only its events tell of. */
export function runReport(run: RunFolder): ReportData {
  const data = readReport(run);
  if (run.manifest.status !== "running") return data;
  const metrics = reportRows(withEvents(run)), last = metrics.at(-1)?.["train_step"];
  return {
    ...data,
    status: shownStatus(run),
    facts: { ...data.facts, ...(typeof last === "number" ? { "train steps": String(last) } : {}) },
    tables: { ...data.tables, metrics },
  };
}
