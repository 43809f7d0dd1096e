import assert from "node:assert/strict";
import { LINE_LEGEND, PHASE, STEP_AXIS, unitOf } from "../../../notebooks/charts/chart.ts";
import { TABLES } from "../../../data/columns.ts";
import { type Chart } from "../../../notebooks/charts/chart.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec } from "../../../notebooks/draw.ts";

Deno.test("unitOf() is the dictionary's unit, else the name that is given", () => {
  assert.equal(unitOf("metrics", "entropy", "x"), "nats per token");
  assert.equal(unitOf("metrics", "reward", "mean reward"), "mean reward");
  assert.equal(unitOf("metrics", "no_such", "x"), "x");
  assert.deepEqual([PHASE, STEP_AXIS.field, LINE_LEGEND.orient], ["phase", "train_step", "top"]);
});

Deno.test("a line chart's axis has the unit of its first metric", () => {
  for (const [name, chart] of Object.entries<Chart>(CHARTS)) {
    const source = chart.sources.at(-1)!, [column] = source.uses;
    const unit = source.reads === "metrics" ? TABLES.metrics[column as keyof typeof TABLES.metrics]?.unit : undefined;
    if (!unit || name === "loss") continue; // a loss has no one unit
    const rows = [1, 2].map((train_step) => ({ train_step, [column!]: train_step }));
    const spec = chartSpec({ ...chart, sources: [source] }, { metrics: rows });
    assert(JSON.stringify(spec).includes(`"title":"${unit}`), `${name} has no axis in ${unit}`);
  }
});
