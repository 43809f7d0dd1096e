import assert from "node:assert/strict";
import { chartShape, spanOf, ticksOf } from "../../../../workflows/doctor_page/app/chart_shape.ts";

Deno.test("ticksOf() are round, evenly apart and hold the values", () => {
  assert.deepEqual(ticksOf(0, 1), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(ticksOf(-0.0009, 0.0009), [-0.001, -0.0005, 0, 0.0005, 0.001]);
  assert.deepEqual(ticksOf(3, 7.2), [2, 4, 6, 8]);
  assert.deepEqual(ticksOf(5, 5), [5]);
});

Deno.test("chartShape() puts values, what is not finite and the onset at their places", () => {
  const shape = chartShape({ trainSteps: [0, 5, 10], values: [0, NaN, 1], mark: 5 }, [0, 10], 100, 50);
  assert.deepEqual(shape.points.map(({ x, y, value }) => [x, y, value]), [[0, 50, 0], [100, 0, 1]]);
  assert.deepEqual([shape.broken, shape.mark, shape.few, shape.median], [[50], 50, true, ""]);
  assert.equal(shape.line, "M0.0,50.0L100.0,0.0");
  assert.deepEqual(shape.y.map(({ label }) => label), ["0", "0.25", "0.5", "0.75", "1"]);
  assert.equal(chartShape({ trainSteps: [0], values: [1], mark: 20 }, [0, 10], 100, 50).mark, null);
});

Deno.test("chartShape() gives a constant room, one train step a place, and nothing no line", () => {
  const constant = chartShape({ trainSteps: [1, 2], values: [0, 0], mark: null }, [1, 2], 100, 50);
  assert.deepEqual(constant.points.map(({ y }) => y), [25, 25]);
  assert.equal(chartShape({ trainSteps: [7], values: [3], mark: null }, [7, 7], 100, 50).points[0]!.x, 50);
  assert.equal(chartShape({ trainSteps: [1], values: [null], mark: null }, [1, 1], 100, 50).line, "");
});

Deno.test("chartShape() draws many values as few points, with those that stand out, and a median that they do not move", () => {
  const trainSteps = Array.from({ length: 40_000 }, (_, i) => i);
  const values = trainSteps.map((step) => step === 20_000 ? 100 : 1 + step % 2);
  const { line, median, points } = chartShape({ trainSteps, values, mark: null }, spanOf([{ trainSteps }]), 300, 100);
  assert.equal(points.length, 40_000);
  const count = (way: string) => way.match(/[ML]/g)!.length;
  assert(count(line) <= 4 * 301 && count(median) <= 1000, `${count(line)} ${count(median)}`);
  assert.match(line, /,0\.0/, "the value that stands out is at the top");
  assert.doesNotMatch(median, /,[0-8]?\d\.\d/, "no median leaves the bottom");
});

Deno.test("spanOf() is over all series, and something where there is none", () => {
  assert.deepEqual(spanOf([{ trainSteps: [3, 9] }, { trainSteps: [1] }]), [1, 9]);
  assert.deepEqual(spanOf([]), [0, 1]);
});

Deno.test("chartShape() writes small numbers so that no two ticks read the same", () => {
  const { y } = chartShape({ trainSteps: [1, 2], values: [5.22e-4, 5.39e-4], mark: null }, [1, 2], 100, 50);
  assert.deepEqual(y.map(({ label }) => label), ["5.20e-4", "5.25e-4", "5.30e-4", "5.35e-4", "5.40e-4"]);
});

Deno.test("chartShape() tells what is told from what is printed", () => {
  const told = [false, true, true, false];
  const shape = chartShape({ trainSteps: [1, 2, 3, 4], values: [1, 2, NaN, NaN], mark: null, told }, [1, 4], 90, 50);
  assert.deepEqual(shape.points.map(({ told }) => told), [false, true]);
  assert.deepEqual([shape.brokenTold, shape.broken], [[60], [90]]);
});

Deno.test("chartShape() has no axis of numbers where no value is one", () => {
  const { y, broken, x } = chartShape({ trainSteps: [1, 2, 3], values: [NaN, NaN, NaN], mark: 1 }, [1, 3], 90, 50);
  assert.deepEqual([y, broken, x.length > 0], [[], [0, 45, 90], true]);
});
