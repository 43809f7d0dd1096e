import assert from "node:assert/strict";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";
import { sweepChart } from "../../notebooks/sweep.ts";
import { combinationHover, runHover, withTitles } from "../../notebooks/sweep_hover.ts";
import { combinationsOf, type SweepPoint } from "../../notebooks/sweep_points.ts";

const draw = (points: readonly SweepPoint[]) =>
  toSvg(chartSpec(sweepChart(points, "after.sampled")!, { metrics: [{ train_step: 1 }] }));

Deno.test("a mark of every kind of sweep chart says its run, cell, score and status where the pointer is", async () => {
  for (const axes of [["rate"], ["rate", "size"], ["rate", "size", "loss"]]) {
    const points = [1, 2].map((value, i): SweepPoint => ({
      cell: Object.fromEntries(axes.map((axis) => [axis, value])),
      run: `run-${value}`,
      score: value / 4,
      ...i === 1 ? { status: "pruned", pruned: 7 } : { status: "ok" },
    }));
    const titles = Array.from(withTitles(await draw(points)).matchAll(/<title>([^<]*)<\/title>/g), ([, said]) => said);
    const cell = (value: number) => axes.map((axis) => `${axis} ${value}`).join(", ");
    assert.deepEqual(
      [...new Set(titles)],
      [`run-1: ${cell(1)}; after.sampled 0.25; ok`, `run-2: ${cell(2)}; after.sampled 0.5; pruned at 7`],
    );
  }
});

Deno.test("a run says its id, its cell, its score where it has one and how it ended; seeds stand together", () => {
  const points: SweepPoint[] = [
    { cell: { rate: 1, seed: 1 }, run: "a", score: 0.25, status: "ok" },
    { cell: { rate: 1, seed: 2 }, run: "b", score: 0.75, status: "ok" },
    { cell: { rate: 2, seed: 1 }, run: null, score: null, status: "not started" },
  ];
  assert.equal(runHover(points[2]!, "reward"), "rate 2, seed 1; not started");
  const [first] = combinationsOf(points, { seeds: ["seed"], unread: [] });
  assert.equal(
    combinationHover(first!, points, "reward"),
    "reward 0.5, mean of 2 seeds\na: rate 1, seed 1; reward 0.25; ok\nb: rate 1, seed 2; reward 0.75; ok",
  );
});
