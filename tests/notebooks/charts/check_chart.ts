/** What every chart's test checks: its columns exist in the dictionary, it draws, and it refuses a missing column. @module */
import assert from "node:assert/strict";
import { TABLES } from "../../../data/columns.ts";
import { type ChartName, CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

/** The labels of y of a chart that is drawn of one column's values, as numbers. */
export async function ticksOf(name: ChartName, column: string, values: readonly number[]): Promise<number[]> {
  const chart = CHARTS[name], absent = Object.fromEntries(chart.columns.map((c) => [c, null]));
  const rows = values.map((value, i) => ({ ...absent, train_step: i + 1, [column]: value }));
  const svg = await toSvg(chartSpec(chart, rows)), axis = svg.indexOf('aria-label="Y-axis');
  assert(axis >= 0, "there is no axis of y");
  const labels = Array.from(
    svg.slice(axis).matchAll(/<text text-anchor="end"[^>]*>([-−\d.]+)<\/text>/g),
    ([, t]) => t!,
  );
  assert(labels.length >= 2, `${labels}`);
  return labels.map((label) => Number(label.replace("−", "-")));
}

/** Draws 30 rows and returns the SVG, after checking that the values move the picture. */
export async function checkChart(name: ChartName): Promise<string> {
  const chart = CHARTS[name];
  for (const column of chart.columns) assert(column in TABLES[chart.reads], `unknown column ${column}`);
  const rows = (scale: number) =>
    Array.from(
      { length: 30 },
      (_, i) =>
        Object.fromEntries(chart.columns.map((c) => [c, c === "train_step" ? i + 1 : scale * ((i * 7) % 10) / 10])),
    );
  const svg = await toSvg(chartSpec(chart, rows(1)));
  assert.match(svg, /<svg /);
  assert(!/NaN/.test(svg), "the picture has NaN coordinates");
  assert.notEqual(svg, await toSvg(chartSpec(chart, rows(0.5))), "the picture does not depend on the values");
  const last = chart.columns.at(-1)!;
  const without = rows(1).map((row) => Object.fromEntries(Object.entries(row).filter(([c]) => c !== last)));
  assert.throws(() => chartSpec(chart, without), new RegExp(`has no column "${last}"`));
  return svg;
}
