/** The runs of a folder as the live page lists them. @module */
import { join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import type { RunRow } from "../../notebooks/pages/runs.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { runIds, shownStatus } from "../explore/find_run.ts";
import { withEvents } from "../explore/live_metrics.ts";

const MOST = 60; // Runs of the list: the newest.

/** The newest runs, the last one first. What cannot be opened is left out: it is written, or was removed, at this moment. */
export function runList(runs: string): RunRow[] {
  return runIds(runs).slice(-MOST).reverse().flatMap((id) => {
    try {
      return [rowOf(openRunFolder(join(runs, id), () => {}))];
    } catch (error) {
      if (error instanceof RangeError || error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

function rowOf(run: RunFolder): RunRow {
  const { manifest } = run, rows = reportRows(withEvents(run));
  const column = ["reward", "preference_accuracy", "loss"].find((name) =>
    rows.some((row) => Number.isFinite(row[name]))
  );
  const values = rows.filter((row) => !column || (row[column] ?? null) !== null).map((row) =>
    row[column ?? ""] as number
  );
  const found = manifest.findings.find(({ severity }) => severity !== "info");
  return {
    id: manifest.id,
    name: manifest.name,
    status: shownStatus(run),
    trainStep: Math.max(manifest.train_step, Number(rows.at(-1)?.["train_step"] ?? 0)),
    started: `${manifest.created.slice(0, 16).replace("T", " ")} UTC`,
    finding: found ? String(found["cause"]) : "",
    values,
  };
}
