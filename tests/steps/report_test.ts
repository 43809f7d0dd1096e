import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../data/tables/mod.ts";
import { withRun, withTinyPolicy } from "./contexts/training_run.ts";

Deno.test("report writes one page with charts, completions, sampling settings and findings, and no address to load", () =>
  withTinyPolicy(async (run) => {
    Deno.writeTextFileSync(join(run.folders.run, "workflow.yaml"), "name: toy_workflow\n");
    for (let step = 0; step < 3; step++) {
      await run.rollout();
      await run.run("apply_update", { learning_rate: 1e-3 });
    }
    run.tables.write({
      findings: tableOf("findings", {
        train_step: [3],
        cause: ["entropy_collapse"],
        codes: [["E05"]],
        severity: ["warning"],
        train_steps: [[3]],
        message: ["the entropy fell by half"],
        hint: ["look at it"],
        evidence: ["[]"],
        remedy: ["[]"],
        ruled_out: ["[]"],
      }),
    }, "diagnose");
    const { outputs } = await run.run("report", { completions: 2 });
    assert.equal(outputs!["file"], join(run.folders.run, "report.html"));
    const html = Deno.readTextFileSync(String(outputs!["file"]));
    assert.match(html, /^<!doctype html>/i);
    assert.match(html, /<svg/);
    for (const text of ["the entropy fell by half", "toy_workflow", "temperature", "this_run"]) {
      assert(html.includes(text), text);
    }
    const shown = run.column<string>("completions", "prompt")[0]!;
    assert(html.includes(shown), "the first completion's prompt");
    assert(!/(?:src|href)="https?:/.test(html), "a page that loads nothing");
  }));

Deno.test("report of a run that has not trained yet is a page too", () =>
  withRun(async (run) => {
    const { outputs } = await run.run("report");
    assert.match(Deno.readTextFileSync(String(outputs!["file"])), /<html/);
  }));
