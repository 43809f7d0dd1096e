import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";

const valuesOf = (spec: unknown) => (spec as { data: { values: unknown[] } }).data.values;

Deno.test("chartSpec() keeps the chart's columns and the rows that have a value; NaN becomes null", () => {
  const rows = [
    { train_step: 1, reward: NaN, secret: "x" },
    { train_step: 2, reward: null, secret: "x" },
    { train_step: 3, reward: 1, secret: "x" },
  ];
  assert.deepEqual(valuesOf(chartSpec(CHARTS.reward, rows)), [{ train_step: 1, reward: null }, {
    train_step: 3,
    reward: 1,
  }]);
  const partly = [{ train_step: 1, sample_ms: 5, score_ms: null, update_ms: null }];
  assert.deepEqual(valuesOf(chartSpec(CHARTS.phase_times, partly)), [{ train_step: 1, sample_ms: 5 }]);
});

Deno.test("toSvg() throws on a specification that Vega-Lite refuses", async () => {
  await assert.rejects(toSvg({ mark: "no_such_mark", data: { values: [] }, encoding: {} }));
});
