import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import assert from "node:assert/strict";
import { checkChart, ticksOf } from "./check_chart.ts";

Deno.test("chart completion_length draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("completion_length"), /train step/);
});

Deno.test("chart completion_length has ticks at whole tokens alone, also where the mean hardly moves", async () => {
  for (const values of [[15.2, 15.21, 15.19], [3.2], [0.4, 0.5], [12.5, 400.25, 88.1]]) {
    const ticks = await ticksOf("completion_length", "completion_length", values);
    assert(ticks.every((tick) => Number.isInteger(tick) && tick >= 0), `${ticks}`);
    assert.equal(new Set(ticks).size, ticks.length, `${ticks}`);
  }
});

Deno.test("chart completion_length draws quantiles in steps: a quantile that jumps by a token leaves no wedge", async () => {
  const completions = Array.from({ length: 40 }, (_, i) => ({
    train_step: 1 + Math.floor(i / 4),
    completion_tokens: i % 4 === 0 && Math.floor(i / 4) % 3 === 0 ? 3 : 8,
  }));
  const svg = await toSvg(chartSpec(CHARTS.completion_length, { completions }), (text) => assert.fail(text));
  const areas = Array.from(svg.matchAll(/<path [^>]*area[^>]* d="([^"]+)"/g), ([, d]) => d!);
  assert(areas.length >= 2, `${areas.length} areas`);
  for (const area of areas) {
    const points = Array.from(area.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g), ([, x, y]) => [x, y]);
    assert(points.slice(1).every(([x, y], i) => x === points[i]![0] || y === points[i]![1]), area);
  }
});
