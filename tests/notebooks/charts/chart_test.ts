import assert from "node:assert/strict";
import { lineChart, PALETTE } from "../../../notebooks/charts/chart.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

Deno.test("lineChart() leaves a gap for null and NaN and draws the rest", async () => {
  const chart = lineChart({
    title: "t",
    about: "a",
    lines: [{ column: "kl", label: "kl", color: PALETTE.first }],
    y: "nats",
  });
  const rows = [0.1, NaN, null, 0.4].map((kl, i) => ({ train_step: i + 1, kl }));
  const svg = await toSvg(chartSpec(chart, rows));
  assert(!svg.includes("NaN"));
  assert.match(svg, new RegExp(PALETTE.first));
});
