/** What a live page follows: a run of ours or another system's log, as a report that is read anew. @module */
import { basename, join } from "node:path";
import { readRun } from "../../data/adapters/read_run.ts";
import { ifThere, isFile, listFolder } from "../../data/file_system.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import type { ReportData } from "../../notebooks/pages/report.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { shownStatus } from "../explore/find_run.ts";
import { withEvents } from "../explore/live_metrics.ts";
import { Run } from "../explore/run.ts";
import { readReport } from "../run/write_report.ts";

export interface Followed {
  /** Changes whenever there is something new to show; costs a look at the file system. */
  stamp(): string;
  /** Changes with what only a report tells; the same while there are new train steps alone. */
  slowStamp(): string;
  report(): Promise<ReportData>;
  /** The state and the rows of all train steps, read without the rest. */
  steps(): Promise<{ readonly status: string; readonly metrics: readonly Row[] }>;
}

/** A run folder, or the log of another system. */
export function followed(path: string): Followed {
  return isFile(join(path, RUN_FILES.manifest)) ? ownRun(path) : foreignLog(path);
}

function ownRun(folder: string): Followed {
  return {
    stamp: () => [RUN_FILES.events, RUN_FILES.manifest].map((name) => stampOf(join(folder, name))).join(" "),
    slowStamp: () => stampOf(join(folder, RUN_FILES.manifest)),
    steps() {
      const run = openRunFolder(folder, () => {});
      return Promise.resolve({ status: shownStatus(run), metrics: reportRows(withEvents(run)) });
    },
    report() {
      // A run ends between a look at its manifest and one at its lock: who looks again sees how.
      let run = openRunFolder(folder, () => {});
      if (shownStatus(run) === "killed") run = openRunFolder(folder, () => {});
      const status = shownStatus(run), data = readReport(run);
      const metrics = run.manifest.status === "running" ? { metrics: reportRows(withEvents(run)) } : {};
      return Promise.resolve({ ...data, status, tables: { ...data.tables, ...metrics } });
    },
  };
}

const MOST_COMPLETIONS = 200;

function foreignLog(path: string): Followed {
  const stamp = () =>
    isFile(path) ? stampOf(path) : listFolder(path).map((name) => stampOf(join(path, name))).join(" ");
  return {
    stamp,
    slowStamp: stamp,
    async steps() {
      const { status, tables } = await this.report();
      return { status, metrics: tables.metrics ?? [] };
    },
    async report() {
      const runs = await readRun([path]), log = runs.at(-1);
      if (log === undefined) throw new RangeError(`Cannot follow ${path}: it holds no rows that we read yet`);
      const run = Run.ofLog(log), { metrics, completions, ...tables } = log.rows.tables;
      const rows = completions ? reportRows(completions) : [];
      return {
        name: basename(path),
        about: "A run of another system, as far as its log goes.",
        runId: path,
        status: "running",
        facts: { system: run.system ?? "unknown", records: String(metrics?.numRows() ?? 0) },
        evaluations: [],
        outputs: [],
        findings: run.findings.map((finding) => ({ ...finding, codes: [], evidence: [], ruled_out: [] })),
        tables: {
          ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, reportRows(table!)])),
          ...metrics ? { metrics: reportRows(metrics) } : {},
          ...completions ? { completions: rows } : {},
        },
        stepCompletions: rows.slice(-MOST_COMPLETIONS),
        completions: rows.slice(-12),
        sampling: [],
        workflow: "",
        versions: {},
      };
    },
  };
}

/** Size and time of a file; nothing where there is none. */
function stampOf(path: string): string {
  const stat = ifThere(() => Deno.statSync(path), null);
  return stat === null ? "–" : `${stat.size}@${stat.mtime?.getTime() ?? 0}`;
}
