import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartFigure, drawnCharts, pageChart, pageColumns } from "../../../notebooks/pages/page_charts.ts";

const metrics = Array.from({ length: 30 }, (_, i) => ({
  train_step: i + 1,
  phase: i < 10 ? "sft" : "rollout",
  loss: i === 4 ? NaN : i / 3,
  entropy: i < 10 ? null : 1 / 3,
}));
const completions = Array.from(
  { length: 30 },
  (_, i) => ({ train_step: i + 1, advantage: i % 3, prompt_id: i, reward: 1 }),
);

Deno.test("pageChart() is a specification without rows, for one phase and for all, and the columns it draws", () => {
  const loss = pageChart("loss", CHARTS.loss, { metrics });
  assert.deepEqual(loss.columns, ["train_step", "loss"]);
  assert.deepEqual([loss.values, loss.stepped], [null, true]);
  for (const spec of [loss.plain, loss.phased!]) {
    assert.deepEqual((spec["data"] as { values: unknown }[])[0]!.values, []);
  }
  assert.match(JSON.stringify(loss.phased), /column_header/);
  assert.doesNotMatch(JSON.stringify(loss.plain), /column_header/);
  assert.equal(pageChart("entropy", CHARTS.entropy, { metrics }).phased, null);
});

Deno.test("pageChart() of rows made for the drawing has them with it", () => {
  const chart = pageChart("advantage", CHARTS.advantage, { completions });
  assert.equal(chart.columns, null);
  assert.deepEqual(chart.values!.map((row) => row["p50"]), completions.map(({ advantage }) => advantage));
});

Deno.test("pageColumns() has the columns that charts draw, a phase by its name, and tells NaN from nothing", () => {
  const charts = drawnCharts({ metrics }).map(([name, chart]) => pageChart(name, chart, { metrics }));
  const columns = pageColumns(metrics, charts);
  assert.deepEqual(Object.keys(columns).sort(), ["entropy", "loss", "phase", "train_step"]);
  assert.deepEqual(columns["loss"]!.slice(3, 6), [1, "NaN", 1.66667]);
  assert.deepEqual(columns["entropy"]!.slice(9, 11), [null, 0.333333]);
  assert.deepEqual(columns["phase"]!.slice(9, 11), ["warm start, supervised", "reinforcement"]);
});

Deno.test("chartFigure() is a picture of few points also of many train steps", async () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ train_step: i + 1, phase: "rollout", entropy: Math.sin(i) }));
  const html = await chartFigure("entropy", CHARTS.entropy, { metrics: many });
  assert.match(html, /^<figure id="chart-entropy">/);
  assert(html.length < 60_000, String(html.length));
});

Deno.test("chartFigure() has one panel for what one phase alone has values of, as wide as any", async () => {
  const html = await chartFigure("entropy", CHARTS.entropy, { metrics });
  assert.doesNotMatch(html, />reinforcement</);
  assert(Number(/viewBox="0 0 ([\d.]+)/.exec(html)?.[1]) >= 460, html.slice(0, 900));
  assert.match(await chartFigure("loss", CHARTS.loss, { metrics }), />warm start, supervised<[^]*>reinforcement</);
});
