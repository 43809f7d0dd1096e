/** What is left of a run that fails, or that a finding stops: its tables, its status, its report. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "../engine/fake_runs.ts";
import { TINY, tinyRun } from "./tiny_runs.ts";

const REPORTED = TINY + "  - { uses: report, if: always() }\n";

Deno.test("a reward file that throws fails the run with the sample's name, exit 1, and the report is still written", () =>
  withFolder(async (folder) => {
    Deno.writeTextFileSync(
      join(folder, "moody_reward.ts"),
      "export default (batch: unknown[]) => { throw new Error(`no mood for ${batch.length}`); };\n",
    );
    const text = REPORTED.replace("{ uses: verifier }", "{ uses: ./moody_reward.ts }");
    const run = await tinyRun({ runs: folder, text, workflow: folder, runId: "failing" });
    assert.deepEqual([run.status, run.exitCode], ["failed", 1]);
    assert.match(run.reason!, /^step "score_rewards": Cannot .*moody_reward/);
    const last = run.events.at(-1)!;
    assert.deepEqual([last.event, last["status"]], ["run_finished", "failed"]);
    assert.equal(JSON.parse(Deno.readTextFileSync(join(run.folder, "run.json"))).status, "failed");
    assert.match(Deno.readTextFileSync(join(run.folder, "report.html")), /<html/);
    assert(existsSync(join(run.folder, "tables", "metrics")), "rows up to the failure are kept");
    assert(!existsSync(join(run.folder, "model")), "what came after it did not run");
  }));

Deno.test("a run without any reward signal is stopped by the doctor, exit 3, and named in result and report", () =>
  withFolder(async (folder) => {
    const text = REPORTED.replace("repeat: 2", "repeat: 40").replace("{ on_error: warn }", "{ on_error: stop }")
      .replace(
        "{ uses: verifier }, { uses: length_penalty, weight: 0.1 }",
        "{ uses: regex, with: { pattern: never } }",
      );
    const run = await tinyRun({ runs: folder, text, runId: "hopeless" });
    assert.deepEqual([run.status, run.exitCode], ["stopped", 3], run.reason ?? "");
    const { cause } = run.findings.find(({ severity }) => severity === "error" || severity === "fatal")!;
    assert(run.reason!.startsWith(`${cause}: `));
    assert(Deno.readTextFileSync(join(run.folder, "report.html")).includes(cause));
    assert.deepEqual(
      run.findings.map((f) => f.cause),
      (run.events.at(-1)!["findings"] as { cause: string }[]).map((f) => f.cause),
    );
  }));
