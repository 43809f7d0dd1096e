import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart values draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("values"), /train step/);
});

Deno.test("chart values wants values: the returns that a run without a critic prints are no such chart", () => {
  const rows = [1, 2].map((train_step) => ({ train_step, return_mean: 0.5 }));
  assert.throws(() => chartSpec(CHARTS.values, { metrics: rows }), /has no "value_mean"/);
});
