import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { storedFindings } from "../../../workflows/run/stored_findings.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

Deno.test("storedFindings() are those of run.json, and of the table where that cannot be read or has not ended, the newest of a cause", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { findings: [{ cause: "from_manifest" }] });
    const rows = [["a", "warning"], ["b", "error"], ["a", "error"]].map(([cause, severity], i) => ({
      ...{ train_step: i + 1, cause, severity, message: "m", hint: "h" },
    }));
    Deno.mkdirSync(join(folder, "tables/findings"));
    Deno.writeFileSync(
      join(folder, segmentPath("findings", 1, 3)),
      encodeTable("findings", tableOfRows("findings", rows)),
    );
    const causes = () =>
      storedFindings(openRunFolder(folder, () => {})).map((row) => `${row["cause"]} ${row["severity"]}`);
    assert.deepEqual(causes(), ["from_manifest undefined"]);
    const manifest = JSON.parse(Deno.readTextFileSync(join(folder, "run.json")));
    Deno.writeTextFileSync(join(folder, "run.json"), JSON.stringify({ ...manifest, finished: null }));
    assert.deepEqual(causes(), ["from_manifest undefined", "a error", "b error"], "what a run finds while it goes on");
    Deno.writeTextFileSync(join(folder, "run.json"), "{");
    assert.deepEqual(causes(), ["a error", "b error"]);
  }));
