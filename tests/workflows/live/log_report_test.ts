import assert from "node:assert/strict";
import { readRun } from "../../../data/adapters/read_run.ts";
import { logReport } from "../../../workflows/live/log_report.ts";
import { oneFinding } from "../doctor/one_examined.ts";

const STATE = { path: "/a/train.log", name: "train.log", status: "running", note: "", findings: [] };

Deno.test("logReport() without a record has no chart, and calls nothing healthy", () => {
  const { facts, tables, cannotTell, completions } = logReport({ ...STATE, note: "waits for it", run: null });
  assert.deepEqual(facts, { system: "unknown", records: "0", note: "waits for it" });
  assert.deepEqual([tables, cannotTell, completions], [{}, true, []]);
});

Deno.test("logReport() counts the records that are not kept, and has rows, findings and the reason", async () => {
  const chunks = (async function* () {
    yield new TextEncoder().encode(
      "{'loss': 0.1, 'reward': 0.5, 'step': 1}\n{'loss': 0.1, 'reward': 0.75, 'step': 2}\n",
    );
  })();
  const [run] = await readRun(["-"], { stdin: chunks });
  const finding = oneFinding({ cause: "nan_loss", severity: "fatal" });
  const report = logReport({ ...STATE, run: { ...run!, thinned: 5 }, findings: [finding], reason: "it is gone" });
  assert.deepEqual(report.facts, { system: run!.system ?? "unknown", records: "7" });
  assert.deepEqual(report.tables.metrics!.map((row) => row["reward"]), [0.5, 0.75]);
  assert.deepEqual(report.findings.map(({ cause }) => cause), ["nan_loss"]);
  assert.deepEqual([report.reason, report.cannotTell, report.runId], ["it is gone", false, "/a/train.log"]);
});
