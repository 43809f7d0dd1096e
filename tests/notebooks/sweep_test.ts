import assert from "node:assert/strict";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";
import { sweepChart } from "../../notebooks/sweep.ts";
import type { SweepPoint } from "../../notebooks/sweep_points.ts";

async function draw(points: readonly SweepPoint[]): Promise<string> {
  const chart = sweepChart(points, "after.sampled")!;
  return await toSvg(chartSpec(chart, { metrics: [{ train_step: 1 }] }), (text) => assert.fail(text));
}

Deno.test("one parameter is a line through the means over seeds, rates of several sizes at equal distances", async () => {
  const points = [1e-4, 1e-3, 1e-2].flatMap((rate) =>
    [1, 2].map((seed) => ({ cell: { rate, seed }, score: rate * 10 + seed }))
  );
  const svg = await draw(points);
  assert.match(svg, />rate<[^]*>after\.sampled</);
  assert.equal(svg.match(/aria-roledescription="circle"|aria-roledescription="point"/g)?.length, 6);
  assert.match(svg, />0\.0001<[^]*>0\.001<[^]*>0\.01</);
});

Deno.test("one parameter marks runs that were stopped early, and those that failed", async () => {
  const svg = await draw([
    { cell: { rate: 1 }, score: 1 },
    { cell: { rate: 2 }, score: 0.5, pruned: 10 },
    { cell: { rate: 3 }, score: null },
  ]);
  const points = svg.match(/<path aria-label[^>]*aria-roledescription="(?:circle|point)"[^>]*>/g)!;
  assert.equal(points.length, 3);
  assert.deepEqual(
    points.map((path) => /fill="#/.test(path)),
    [true, false, true],
    "one that was stopped early is hollow",
  );
  assert.match(points[2]!, /rotate\(45\)/);
});

Deno.test("two parameters are a heat map of the means; a cell that failed, or was stopped early, says so", async () => {
  const points: SweepPoint[] = [
    { cell: { rate: 1, size: 4, seed: 1 }, score: 0.25 },
    { cell: { rate: 1, size: 4, seed: 2 }, score: 0.75 },
    { cell: { rate: 2, size: 8, seed: 1 }, score: 0.125 },
    { cell: { rate: 2, size: 4, seed: 1 }, score: null },
  ];
  const svg = await draw(points);
  assert.match(svg, />0\.5<[^]*>0\.125</);
  assert.equal(svg.match(/aria-roledescription="rect mark"/g)?.length, 3);
  assert.match(svg, />failed</);
  assert.match(await draw(points.map((point) => ({ ...point, pruned: 12 }))), />stopped at 12</);
});

Deno.test("three parameters are parallel coordinates, a line for each combination", async () => {
  const points = [1, 2].flatMap((a) =>
    ["x", "y"].flatMap((b) => [true, false].map((c) => ({ cell: { a, b, c }, score: a })))
  );
  const svg = await draw(points);
  assert.equal(svg.match(/aria-roledescription="line mark"/g)?.length, 8);
  for (const axis of ["a", "b", "c", "after.sampled"]) assert(svg.includes(`>${axis}</text>`), axis);
});

Deno.test("sweepChart() draws nothing of seeds alone, or where no run was scored", () => {
  assert.equal(sweepChart([1, 2].map((seed) => ({ cell: { seed }, score: 1 })), "s"), null);
  assert.equal(sweepChart([1, 2].map((rate) => ({ cell: { rate }, score: null })), "s"), null);
});

Deno.test("one parameter has a tick at each of its values and no other, words stand level, and no point lies on the edge", async () => {
  const svg = await draw([2e-5, 1e-4, 3e-3].map((rate, i) => ({ cell: { rate }, score: i })));
  const axis = svg.slice(svg.indexOf('aria-label="X-axis'), svg.indexOf('aria-label="Y-axis'));
  const labels = Array.from(axis.matchAll(/>([\d.e-]+)<\/text>/g), ([, label]) => Number(label));
  assert.deepEqual(labels, [2e-5, 1e-4, 3e-3]);
  const places = Array.from(
    svg.matchAll(/aria-roledescription="point"[^>]*translate\(([\d.]+),/g),
    ([, x]) => Number(x),
  );
  assert(Math.min(...places) >= 10 && Math.max(...places) <= 412, `${places}`);
  const words = await draw(["grpo", "dr_grpo", "rloo"].map((loss, i) => ({ cell: { loss }, score: i })));
  assert.doesNotMatch(words, /rotate\(-?90\)[^>]*>(?:dr_grpo|grpo)</);
});

Deno.test("the numbers of a heat map are bright on dark cells and dark on bright ones", async () => {
  const points = [1, 2].flatMap((rate) => [4, 8].map((size) => ({ cell: { rate, size }, score: rate * size })));
  const text = (svg: string, shown: string) =>
    new RegExp(`<text [^>]*fill="(#\\w+)"[^>]*>${shown}</text>`).exec(svg.slice(svg.indexOf("mark-text role-mark")))
      ?.[1];
  const svg = await draw(points);
  assert.deepEqual([text(svg, "4"), text(svg, "16")], ["#ffffff", "#16181d"]);
});
