/** What a live page follows: a run of ours or another system's log, as a report that is read anew. @module */
import { basename, join } from "node:path";
import { readRun } from "../../data/adapters/read_run.ts";
import { ifThere, isFile, isFolder, listFolder } from "../../data/file_system.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import type { ReportData } from "../../notebooks/pages/report.ts";
import { faults } from "../doctor/told.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { examineRun } from "../doctor/examine_run.ts";
import { isLive, shownStatus } from "../explore/find_run.ts";
import { withEvents } from "../explore/live_metrics.ts";
import { runReport } from "../explore/run_report.ts";
import { FollowedLog } from "./followed_log.ts";
import { logReport } from "./log_report.ts";

export interface Followed {
  /** The run's folder, which has its images; null of a log. */
  readonly folder: string | null;
  /** Changes whenever there is something new to show; costs a look at the file system. */
  stamp(): string;
  /** Changes with what only a report tells; the same while there are new train steps alone. */
  slowStamp(): string;
  /** When something came last, ms since 1970; null where that is told by train steps alone. */
  news(): number | null;
  /** False once nothing more can come. */
  isLive(): boolean;
  report(): Promise<ReportData>;
  /** The state and the rows of all train steps, read without the rest. */
  steps(): Promise<{ readonly status: string; readonly metrics: readonly Row[] }>;
  /** Nobody looks any more. */
  close(): Promise<void>;
}

/** A folder with so many bytes or more is no folder of small files: its newest log alone is followed. */
const LARGE_BYTES = 1 << 24;

/** A run folder, or the log of another system: there or to come. */
export function followed(path: string): Followed {
  if (isFile(join(path, RUN_FILES.manifest))) return ownRun(path);
  return isFolder(path) && sizeOf(path) < LARGE_BYTES ? folderOf(path) : new FollowedLog(path);
}

/** A run of ours. */
export function ownRun(folder: string): Followed {
  return {
    folder,
    stamp: () => [RUN_FILES.events, RUN_FILES.manifest].map((name) => stampOf(join(folder, name))).join(" "),
    slowStamp: () => stampOf(join(folder, RUN_FILES.manifest)),
    news: () => null,
    isLive: () => isLive(folder),
    steps() {
      const run = openRunFolder(folder, () => {});
      return Promise.resolve({ status: shownStatus(run), metrics: reportRows(withEvents(run)) });
    },
    report() {
      // A run ends between a look at its manifest and one at its lock: who looks again sees how.
      let run = openRunFolder(folder, () => {});
      if (shownStatus(run) === "killed") run = openRunFolder(folder, () => {});
      return Promise.resolve(runReport(run));
    },
    close: () => Promise.resolve(),
  };
}

/** Small files of another system, read together: completions and trackers' files tell what a log alone does not. */
function folderOf(path: string): Followed {
  const files = () => listFolder(path).map((name) => join(path, name)), stamp = () => files().map(stampOf).join(" ");
  return {
    folder: null,
    stamp,
    slowStamp: stamp,
    news: () => Math.max(...files().map((file) => ifThere(() => Deno.statSync(file).mtime?.getTime(), 0) ?? 0)) || null,
    isLive: () => true,
    async steps() {
      const { status, tables } = await this.report();
      return { status, metrics: tables.metrics ?? [] };
    },
    async report() {
      const run = (await readRun([path])).at(-1) ?? null;
      const findings = run === null ? [] : faults(examineRun(run).diagnosis);
      return logReport({ path, name: basename(path), status: "running", note: "", run, findings });
    },
    close: () => Promise.resolve(),
  };
}

function sizeOf(folder: string): number {
  return listFolder(folder).reduce((sum, name) => sum + ifThere(() => Deno.statSync(join(folder, name)).size, 0), 0);
}

/** Size and time of a file; nothing where there is none. */
function stampOf(path: string): string {
  const stat = ifThere(() => Deno.statSync(path), null);
  return stat === null ? "–" : `${stat.size}@${stat.mtime?.getTime() ?? 0}`;
}
