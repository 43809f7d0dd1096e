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

Deno.test("one parameter marks pruned runs, and puts runs without a score below the scale in the words of their status", async () => {
  const svg = await draw([
    { cell: { rate: 1 }, score: 1 },
    { cell: { rate: 2 }, score: 0.5, pruned: 10, status: "pruned" },
    { cell: { rate: 2 }, score: null, status: "stopped" },
    { cell: { rate: 2 }, score: null, status: "stopped" },
    { cell: { rate: 2 }, score: null, status: "interrupted" },
    { cell: { rate: 3 }, score: null, status: "not started" },
  ]);
  const points = svg.match(/<path aria-label[^>]*aria-roledescription="(?:circle|point)"[^>]*>/g)!;
  assert.deepEqual(points.map((path) => /fill="#/.test(path)), [true, false], "a pruned one is hollow");
  const height = (mark: string) => Number(/translate\([\d.]+,([\d.]+)\)/.exec(mark)![1]);
  const words = Array.from(
    svg.matchAll(/<text aria-label[^>]*aria-roledescription="text mark"[^>]*>([^<]*)</g),
    ([mark, word]) => [word, height(mark)] as const,
  );
  assert.deepEqual(words.map(([word]) => word).sort(), ["2 stopped", "interrupted", "not started"]);
  const lowest = Math.max(...points.map(height)), at = Object.fromEntries(words);
  for (const [word, y] of words) assert(y > lowest + 8, `${word} reads as a score: ${y}, the scale ends at ${lowest}`);
  assert.notEqual(at["2 stopped"], at["interrupted"], "they would lie on each other");
});

Deno.test("two parameters are a heat map of the means; a cell that did not end well, or was pruned, says so", async () => {
  const points: SweepPoint[] = [
    { cell: { rate: 1, size: 4, seed: 1 }, score: 0.25 },
    { cell: { rate: 1, size: 4, seed: 2 }, score: 0.75 },
    { cell: { rate: 2, size: 8, seed: 1 }, score: 0.125 },
    { cell: { rate: 2, size: 4, seed: 1 }, score: null, status: "stopped" },
  ];
  const svg = await draw(points);
  assert.match(svg, />0\.5<[^]*>0\.125</);
  assert.equal(svg.match(/aria-roledescription="rect mark"/g)?.length, 3);
  assert.match(svg, />stopped</);
  assert.match(await draw(points.map((point) => ({ ...point, pruned: 12 }))), />pruned at 12</);
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

Deno.test("the numbers of a heat map have digits that count, also small ones", async () => {
  const points = [1, 2].flatMap((rate) => [4, 8].map((size) => ({ cell: { rate, size }, score: rate * size * 1e-5 })));
  const svg = await draw(points);
  for (const shown of ["0.00004", "0.00008", "0.00016"]) assert.match(svg, new RegExp(`>${shown}</text>`));
});
