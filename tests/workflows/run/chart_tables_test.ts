import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { chartTables } from "../../../workflows/run/chart_tables.ts";
import { join } from "node:path";
import { RUN_FILES } from "../../../data/run_folder.ts";
import { BOX_IOU } from "../../../notebooks/charts/iou.ts";
import { visualRun } from "./visual_run.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("chartTables() reads the columns that charts use, of every table that one reads", () =>
  withRuns((runs) => {
    const tables = chartTables(openRunFolder(fabricateRun(runs, RUN_A)));
    assert.deepEqual(Object.keys(tables).sort(), ["completions", "findings", "gradients", "metrics", "updates"]);
    assert(!("ref_logprobs" in tables.completions![0]!) && "correct" in tables.completions![0]!);
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

Deno.test("chartTables() has the IoU of boxes whatever they are rewarded by, in the units that the workflow names", () =>
  withRuns((runs) => {
    const folder = visualRun(runs), rows = chartTables(openRunFolder(folder)).completions!;
    assert(rows.some((row) => Number(row[BOX_IOU]) > 0.2));
    for (const row of rows) assert.equal(Math.fround(Number(row[BOX_IOU])), row["reward.visual/iou"]);
    Deno.writeTextFileSync(
      join(folder, RUN_FILES.workflow),
      "steps:\n  - uses: score_rewards\n    with: { rewards: [{ uses: visual/giou, with: { answer_unit: pixels } }] }\n",
    );
    // Answers that are thousandths and are taken for pixels of an image of 56 are far away from what was said.
    assert(chartTables(openRunFolder(folder)).completions!.every((row) => Number(row[BOX_IOU]) < 0.05));
    assert(!(BOX_IOU in chartTables(openRunFolder(fabricateRun(runs, RUN_B))).completions![0]!));
  }));
