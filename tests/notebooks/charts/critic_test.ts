import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart critic draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("critic"), /train step/);
});

Deno.test("chart critic keeps its scale when one value is far below, and leaves the loss to a chart of its own", async () => {
  const rows = [0.2, 0.4, -10.5, 0.5].map((value_explained_variance, i) => ({
    train_step: i + 1,
    value_explained_variance,
  }));
  const svg = await toSvg(chartSpec(CHARTS.critic, { metrics: rows }));
  assert.match(svg, />1<\/text>/);
  assert.doesNotMatch(svg, />[-−]10<\/text>/);
  assert(!CHARTS.critic.sources[0].uses.includes("value_loss"));
});
