import assert from "node:assert/strict";
import { bestOf, combinationsOf, methodAxes, type SweepPoint } from "../../notebooks/sweep_points.ts";

const AXES = { seeds: ["seed"], unread: [] };
const point = (rate: number, seed: number, score: number | null, more: Partial<SweepPoint> = {}): SweepPoint => ({
  cell: { rate, seed },
  seed,
  score,
  ...more,
});

Deno.test("the best is a combination by the mean of its seeds, not the luckiest run", () => {
  const points = [point(1, 1, 0.9), point(1, 2, 0.1), point(2, 1, 0.5), point(2, 2, 0.75)];
  const { best, alike } = bestOf(points, AXES, "max")!;
  assert.deepEqual([best.cell, best.score, best.scores], [{ rate: 2 }, 0.625, [0.5, 0.75]]);
  assert.deepEqual(alike.map(({ cell }) => cell), [{ rate: 1 }], "a seed of the other is above the worst of the best");
  assert.deepEqual(bestOf(points, AXES, "min")!.best.cell, { rate: 1 });
  const apart = [point(1, 1, 0.2), point(1, 2, 0.1), point(2, 1, 0.6), point(2, 2, 0.7)];
  assert.deepEqual(bestOf(apart, AXES, "max")!.alike, []);
});

Deno.test("runs of one seed are no several seeds", () => {
  const twice = [point(1, 1, 0.5, { seed: 7 }), point(1, 2, 0.5, { seed: 7 }), point(2, 1, 0.1, { seed: 7 })];
  const unread = { seeds: ["seed"], unread: ["seed"] };
  assert.deepEqual(combinationsOf(twice, unread).map(({ scores }) => scores.length), [1, 1]);
  assert.deepEqual(combinationsOf(twice, AXES).map(({ scores }) => scores.length), [2, 1], "a step looks the axis up");
});

Deno.test("an axis that nothing reads tells no runs apart: there is no best of it", () => {
  const points = [point(1, 1, 0.5), point(2, 1, 0.6)], unread = { seeds: ["seed"], unread: ["rate"] };
  assert.deepEqual(methodAxes(points, unread), []);
  assert.equal(bestOf(points, unread, "max"), null);
  assert.deepEqual(methodAxes(points, AXES), ["rate"]);
});

Deno.test("a combination with a failed run, or one that was stopped early, is not the best", () => {
  const points = [point(1, 1, 0.9), point(1, 2, null), point(2, 1, 0.8, { pruned: 10 }), point(3, 1, 0.1)];
  assert.deepEqual(bestOf(points, AXES, "max")!.best.cell, { rate: 3 });
  const [first, second] = combinationsOf(points, AXES);
  assert.deepEqual([first!.failed, first!.score, second!.pruned], [1, 0.9, 10]);
  assert.equal(bestOf(points.slice(0, 3), AXES, "max"), null);
});

Deno.test("a combination whose best seed only ties with the worst of the best is not told from it", () => {
  const points = [point(1, 1, 0.5), point(1, 2, 0.25), point(2, 1, 0.5), point(2, 2, 0.75)];
  const { best, alike } = bestOf(points, AXES, "max")!;
  assert.deepEqual([best.cell, alike.map(({ cell }) => cell)], [{ rate: 2 }, [{ rate: 1 }]]);
});
