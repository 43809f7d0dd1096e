import assert from "node:assert/strict";
import type { Row } from "../../../notebooks/charts/chart.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { spreadSource } from "../../../notebooks/charts/spread.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

Deno.test("spreadSource() gives the quantiles of each train step", () => {
  const source = spreadSource("completions", "completion_tokens", {}, "#000000");
  const rows = [1, 2, 3, 4, 5].map((completion_tokens) => ({ train_step: 2, completion_tokens }));
  assert.deepEqual(source.rows!([...rows, { train_step: 1, completion_tokens: 9 }, { train_step: 3 }]), [
    { train_step: 1, p5: 9, p25: 9, p50: 9, p75: 9, p95: 9, mean: 9, completions: 1 },
    { train_step: 2, p5: 1.2, p25: 2, p50: 3, p75: 4, p95: 4.8, mean: 3, completions: 5 },
  ]);
});

Deno.test("spreadSource() has the mean beside the median", () => {
  const source = spreadSource("completions", "advantage", {}, "#000000");
  const [row] = source.rows!([0, 0, 0, 8].map((advantage) => ({ train_step: 1, advantage })));
  assert.deepEqual([row!["p50"], row!["mean"]], [0, 2]);
});

Deno.test("spreadSource() shows one train step, as bars and a point, and gives what is constant several ticks", async () => {
  const completions = [0, 1, 2, 3].map((advantage) => ({ train_step: 5, advantage }));
  const draw = (rows: readonly object[]) =>
    toSvg(chartSpec(CHARTS.advantage, { completions: rows as Row[] }), (text) => assert.fail(text));
  const svg = await draw(completions);
  assert.match(svg, /aria-roledescription="point"/);
  assert.equal(svg.match(/<line aria-label[^>]*stroke-width="8"/g)?.length, 2);
  const many = await draw([...completions, ...completions.map((row) => ({ ...row, train_step: 6 }))]);
  assert.doesNotMatch(many, /aria-roledescription="point"/);
  const flat = await draw(completions.map((row) => ({ ...row, advantage: 0 })));
  assert(flat.slice(flat.indexOf('aria-label="Y-axis')).match(/<text text-anchor="end"/g)!.length >= 4);
});
