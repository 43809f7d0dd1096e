import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart grad_norm draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("grad_norm"), /train step/);
});

Deno.test("chart grad_norm says on its axis how it is spaced", async () => {
  const rows = [0, 1, 1000].map((grad_norm, i) => ({ train_step: i + 1, grad_norm }));
  assert.match(await toSvg(chartSpec(CHARTS.grad_norm, { metrics: rows })), />norm, log\(1 \+ norm\) scale<\/text>/);
});
