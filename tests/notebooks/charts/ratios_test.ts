import assert from "node:assert/strict";
import { RATIO_BINS } from "../../../data/signals/ratio_bins.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

const histogram = (bins: Record<number, number>) =>
  Array.from({ length: RATIO_BINS.count }, (_, bin) => bins[bin] ?? 0);

Deno.test("chart ratios is the mean over the late updates, and empty bins are left out", async () => {
  const updates = [
    { train_step: 1, ratio_histogram: histogram({ 0: 1 }) },
    { train_step: 2, ratio_histogram: histogram({ 0: 1 }) },
    { train_step: 3, ratio_histogram: histogram({ 0: 1 }) },
    { train_step: 4, ratio_histogram: histogram({ 20: 1 }) },
    { train_step: 4, ratio_histogram: histogram({ 20: 0.5, 21: 0.5 }) },
  ];
  const rows = CHARTS.ratios.sources[0].rows!(updates);
  assert.deepEqual(rows.map((row) => row["share"]), [0.75, 0.25]);
  assert(Number(rows[0]!["from"]) < 1 && Number(rows[0]!["to"]) > 1);
  const svg = await toSvg(chartSpec(CHARTS.ratios, { updates }), (text) => assert.fail(text));
  // Of two bins, 0.75 and 0.25 of the tokens, each a bar that stands on 0: heights go with the root.
  const heights = Array.from(
    svg.matchAll(/aria-roledescription="rect mark"[^>]* d="M[\d.]+,([\d.]+)h[\d.]+v([\d.]+)h/g),
    ([, y, h]) => [Number(y), Number(h)],
  );
  assert.equal(heights.length, 2, svg);
  for (const [y, height] of heights) assert(Math.abs(y! + height! - 190) < 0.01, String(heights));
  assert(Math.abs(heights[0]![1]! / heights[1]![1]! - Math.sqrt(3)) < 0.01, String(heights));
  assert.match(svg, />ratio<[^]*fraction of tokens/);
  assert.throws(() => chartSpec(CHARTS.ratios, { updates: [{ train_step: 1 }] }), /has no "ratio_histogram"/);
});
