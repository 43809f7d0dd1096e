import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";

Deno.test("chartSpec() keeps only the chart's columns and turns NaN into null", () => {
  const spec = chartSpec(CHARTS.reward, [{ train_step: 1, reward: NaN, secret: "x" }]) as {
    data: { values: unknown[] };
  };
  assert.deepEqual(spec.data.values, [{ train_step: 1, reward: null }]);
});

Deno.test("toSvg() throws on a specification that Vega-Lite refuses", async () => {
  await assert.rejects(toSvg({ mark: "no_such_mark", data: { values: [] }, encoding: {} }));
});
