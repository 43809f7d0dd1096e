/** What the page of another system's log is made of. @module */
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import type { ReportData } from "../../notebooks/pages/report.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";

/** A log as far as it has been read. */
interface LogState extends Pick<ReportData, "name" | "status" | "reason"> {
  readonly path: string;
  /** What a person should know of the file, or nothing. */
  readonly note: string;
  /** Null before the first record, setting or message. */
  readonly run: ImportedRun | null;
  readonly findings: readonly Finding[];
}

/** Completions that a click can show, and those at the end of the page. */
const MOST_COMPLETIONS = 200, SHOWN_COMPLETIONS = 12;

/** The report; without a record its charts are empty. */
export function logReport({ path, note, run, findings, ...state }: LogState): ReportData {
  const { metrics, completions, ...tables } = run?.rows.tables ?? {};
  const rows = completions ? reportRows(completions) : [];
  return {
    ...state,
    about: "A run of another system, as far as its log goes.",
    runId: path,
    facts: {
      system: run?.system ?? "unknown",
      records: String((metrics?.numRows() ?? 0) + (run?.thinned ?? 0)),
      ...note === "" ? {} : { note },
    },
    evaluations: [],
    outputs: [],
    findings: findings.map((finding) => ({ ...finding, codes: [...finding.codes] })),
    // Not called healthy before it has a record.
    cannotTell: !metrics?.numRows(),
    tables: {
      ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, reportRows(table!)])),
      ...metrics ? { metrics: reportRows(metrics) } : {},
      ...completions ? { completions: rows } : {},
    },
    stepCompletions: rows.slice(-MOST_COMPLETIONS),
    completions: rows.slice(-SHOWN_COMPLETIONS),
    sampling: [],
    workflow: "",
    versions: {},
  };
}
