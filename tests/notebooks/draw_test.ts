import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";

const valuesOf = (spec: unknown) => (spec as { data: { values: unknown[] } }).data.values;

Deno.test("chartSpec() keeps the chart's columns and the rows that have a value; NaN becomes null", () => {
  const rows = [
    { train_step: 1, accuracy: NaN, secret: "x" },
    { train_step: 2, accuracy: null, secret: "x" },
    { train_step: 3, accuracy: 1, secret: "x" },
  ];
  assert.deepEqual(valuesOf(chartSpec(CHARTS.accuracy, { metrics: rows })), [{ train_step: 1, accuracy: null }, {
    train_step: 3,
    accuracy: 1,
  }]);
  const partly = [{ train_step: 1, sample_ms: 5, score_ms: null, update_ms: null }];
  assert.deepEqual(valuesOf(chartSpec(CHARTS.phase_times, { metrics: partly })), [{ train_step: 1, sample_ms: 5 }]);
});

Deno.test("toSvg() throws on a specification that Vega-Lite refuses", async () => {
  await assert.rejects(toSvg({ mark: "no_such_mark", data: { values: [] }, encoding: {} }));
});

Deno.test("toSvg() leaves out the labels that Vega hides, so that none overlap in a viewer that shows them", async () => {
  const rows = Array.from({ length: 1150 }, (_, i) => ({
    train_step: i + 1,
    phase: i < 1101 ? "sft" : "rollout",
    grad_norm: i < 1101 ? 3 * Math.exp(-i / 300) : (i % 7) / 2,
  }));
  const svg = await toSvg(chartSpec(CHARTS.grad_norm, { metrics: rows }));
  const axis = /role-axis-label[^]*?<\/g>/.exec(svg.slice(svg.indexOf(">1110<") - 2000))?.[0] ?? "";
  const labels = Array.from(
    axis.matchAll(/text-anchor="(\w+)" transform="translate\(([-\d.]+),[^>]*>(\d+)</g),
    ([, anchor, x, text]) => ({
      text,
      from: Number(x) - (anchor === "end" ? 1 : 0.5) * 7 * text!.length,
      width: 7 * text!.length,
    }),
  );
  assert.deepEqual(labels.map(({ text }) => text), ["1110", "1130", "1150"]);
  labels.slice(1).forEach(({ from }, i) => assert(from > labels[i]!.from + labels[i]!.width));
  assert.doesNotMatch(svg, /<text [^>]*opacity="0"/);
});

Deno.test("chartSpec() puts every label of y at its value, the first and the last too", async () => {
  const svg = await toSvg(
    chartSpec(CHARTS.truncation, { metrics: [1, 2].map((i) => ({ train_step: i, truncated_fraction: i / 2 })) }),
  );
  const heights = Array.from(
    svg.matchAll(/<text text-anchor="end" transform="translate\(-[\d.]+,([-\d.]+)\)"[^>]*>[\d.]+<\/text>/g),
    ([, y]) => Number(y),
  );
  assert(heights.length > 2, svg.slice(0, 2000));
  const gaps = heights.slice(1).map((y, i) => heights[i]! - y);
  for (const gap of gaps) assert(Math.abs(gap - gaps[0]!) < 0.01, String(gaps));
});
