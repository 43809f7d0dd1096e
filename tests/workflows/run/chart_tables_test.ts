import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { chartTables } from "../../../workflows/run/chart_tables.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

Deno.test("chartTables() reads the columns that charts use, of every table that one reads", () =>
  withRuns((runs) => {
    const tables = chartTables(openRunFolder(fabricateRun(runs, RUN_A)));
    assert.deepEqual(Object.keys(tables).sort(), ["completions", "findings", "gradients", "metrics", "updates"]);
    assert(!("answer" in tables.completions![0]!) && "correct" in tables.completions![0]!);
    assert.deepEqual(tables.metrics!.map((row) => [row["train_step"], row["phase"]]), [[1, "rollout"], [2, "rollout"]]);
  }));

Deno.test("chartTables() reads a table when it is drawn, and once", () =>
  withRuns((runs) => {
    const folder = openRunFolder(fabricateRun(runs, RUN_A)), read: string[] = [];
    const someOf: typeof folder.someOf = (name, ...rest) => {
      read.push(name);
      return folder.someOf(name, ...rest);
    };
    const tables = chartTables({ ...folder, someOf });
    assert.deepEqual(read, []);
    assert.equal(tables.metrics, tables.metrics);
    assert.deepEqual(read, ["metrics"]);
  }));
