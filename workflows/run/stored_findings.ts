/** What was found in a run: as its manifest says, or its table where that cannot be read or says it only at the end. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";

/** One row per cause, as run.json holds them: of the table the newest, which says most. */
export function storedFindings({ manifest, unknown, table }: RunFolder): RunManifest["findings"] {
  if (!unknown.has("findings") && manifest.finished !== null) return manifest.findings;
  // A run that goes on, or was killed, has told its manifest no more than what was known when it began or was resumed.
  const rows = [...manifest.findings, ...reportRows(table("findings"))];
  return [...new Map(rows.map((row) => [row["cause"], row])).values()];
}
