import assert from "node:assert/strict";
import type { Chart, ChartTables } from "../../../notebooks/charts/chart.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
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

Deno.test("pageChart() has from the entry whether a chart is over train steps and clicked, whatever its axis is called", () => {
  const named: Chart = {
    title: "Steps",
    about: "Any.",
    sources: [{
      reads: "metrics",
      needs: ["train_step", "loss"],
      uses: [],
      spec: () => ({
        mark: "point",
        encoding: { x: { field: "train_step", type: "quantitative", title: "step" }, y: { field: "loss" } },
      }),
    }],
  };
  const of = (chart: Chart, tables: ChartTables) => {
    const { stepped, clicked } = pageChart("any", chart, tables);
    return { stepped, clicked };
  };
  assert.deepEqual(of(named, { metrics }), { stepped: true, clicked: false });
  const group = completions.map((row) => ({
    ...row,
    sample: row.train_step,
    prompt: '{"params": "train step"}',
    text: "",
  }));
  assert.deepEqual(of(CHARTS.groups, { completions: group }), { stepped: false, clicked: true });
});

Deno.test("a chart says that it is drawn elsewhere where its axis is no train step, and what is clicked where it has a choice", () => {
  const rows = [{ prompt_id: 0, sample: 0, label: "a", shown_text: "a", reward: 1, train_step: 1 }];
  for (const [name, { sources }] of Object.entries<Chart>(CHARTS)) {
    for (const { needs, uses, elsewhere = false, clicked = false, spec } of sources) {
      const shape = JSON.stringify(spec(new Set([...needs, ...uses]), rows));
      assert.equal(shape.includes('"title":"train step"'), !elsewhere, name);
      assert.equal(shape.includes('"params"'), clicked, name);
    }
  }
});

Deno.test("chartFigure() has the median of all train steps of a long run, not that of the ones it has room for", async () => {
  const noise = (i: number) => Math.exp(2 * Math.sin(i * 12.9898) * Math.sin(i * 78.233 + 1));
  const rows = Array.from({ length: 5000 }, (_, i) => ({ train_step: i + 1, phase: "rollout", grad_norm: noise(i) }));
  const bold = (svg: string) => {
    const path = [.../ d="([^"]+)"[^>]*stroke-width="2"/.exec(svg)![1]!.matchAll(/[ML]([-\d.]+),([-\d.]+)/g)];
    const heights = path.map(([, , y]) => Number(y));
    return { points: path.length, ends: [Math.min(...heights), Math.max(...heights)] };
  };
  for (
    const { chart, table } of [{ chart: CHARTS.grad_norm, table: rows }, {
      chart: CHARTS.reward,
      table: rows.map(({ grad_norm, ...row }) => ({ ...row, reward: grad_norm, reward_std: 1 + grad_norm })),
    }]
  ) {
    const whole = bold(await toSvg(chartSpec(chart, { metrics: table })));
    const thinned = bold(await chartFigure("c", chart, { metrics: table }));
    assert.deepEqual(thinned.ends, whole.ends);
    assert(thinned.points < 2400 && whole.points === 5000, `${thinned.points} ${whole.points}`);
  }
});
