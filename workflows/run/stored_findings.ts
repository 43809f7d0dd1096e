/** What was found in a run: as its manifest says, or its table where that cannot be read. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";

/** One row per cause, as run.json holds them: of the table the newest, which says most. */
export function storedFindings({ manifest, unknown, table }: RunFolder): RunManifest["findings"] {
  if (!unknown.has("findings")) return manifest.findings;
  return [...new Map(reportRows(table("findings")).map((row) => [row["cause"], row])).values()];
}
