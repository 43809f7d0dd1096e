/** The course of a metric: levels, noise and where a change began. */
import assert from "node:assert/strict";
import {
  course,
  courseOf,
  crossing,
  departure,
  errorOf,
  extreme,
  isConfirmed,
  NoCourse,
  noiseOf,
  sigmaOf,
  wayFrom,
} from "../../../../steps/diagnoses/view/course.ts";

import { RunView } from "../../../../steps/diagnoses/view/run_view.ts";

/** Normal draws of a fixed seed. */
function draws(count: number, seed = 1): number[] {
  let state = seed;
  const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
  return Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}

Deno.test("a course of fewer than 16 values is none; one of evaluations wants five", () => {
  assert.equal(course("kl", draws(15)), null);
  assert.notEqual(course("kl", draws(16)), null);
  assert.equal(course("eval", draws(4), 1), null);
  assert.equal(course("eval", draws(5), 1)!.levels.length, 5);
});

Deno.test("levels are means of the middle of stretches: a spike in each is none of them", () => {
  const values = Array.from({ length: 240 }, (_, i) => i % 10 === 3 ? 1000 : 1);
  const { levels, start, end, noise } = course("grad_norm", values)!;
  assert.equal(levels.length, 24);
  assert.deepEqual([start, end, noise], [1, 1, 0]);
  assert.deepEqual([levels[0]!.from, levels[0]!.to, levels[23]!.to], [0, 9, 239]);
});

Deno.test("absent and not finite values are left out, records stay those of the run", () => {
  const cells = Array.from({ length: 60 }, (_, i) => i < 20 ? null : i === 30 ? NaN : i);
  const found = course("reward", cells)!;
  assert.equal(found.values.length, 39);
  assert.equal(found.levels[0]!.from, 20);
});

Deno.test("the noise of a level does not see the line that it lies on", () => {
  const noise = draws(24, 7), line = noise.map((value, i) => value + 100 * i);
  assert.ok(Math.abs(noiseOf(line) - noiseOf(noise)) < 1e-9);
  assert.ok(noiseOf(draws(2000, 3)) > 0.93 && noiseOf(draws(2000, 3)) < 1.07, `${noiseOf(draws(2000, 3))}`);
});

Deno.test("values that have their stretch in common make a level as uncertain as it is", () => {
  const shared = draws(24, 5), own = draws(240, 6);
  const values = own.map((value, i) => 0.1 * value + shared[Math.floor(i / 10)]!);
  assert.ok(course("reward", values)!.noise > 0.6);
});

Deno.test("noise alone has hardly ever a start and an end four standard errors apart", () => {
  const far = Array.from({ length: 400 }, (_, seed) => Math.abs(sigmaOf(course("x", draws(300, seed + 1))!)));
  assert.ok(far.filter((sigma) => sigma > 4).length <= 8, String(far.filter((sigma) => sigma > 4).length));
});

Deno.test("a line is far beyond chance, and its error that of two means of levels", () => {
  const rising = course("x", draws(300, 2).map((value, i) => value + i / 30))!;
  assert.ok(sigmaOf(rising) > 8);
  const near = rising.noise * Math.sqrt(2 / rising.width);
  assert.ok(errorOf(rising) >= near && errorOf(rising) < 1.5 * near, `${errorOf(rising)} of ${near}`);
});

Deno.test("the best level and where the series left it", () => {
  const values = Array.from({ length: 240 }, (_, i) => i < 120 ? i / 120 : i < 160 ? 1 - (i - 120) / 50 : 0.2);
  const found = course("reward", values)!, best = extreme(found);
  assert.ok(best.value > 0.85 && best.at >= 11 && best.at <= 14, JSON.stringify(best));
  const left = departure(found, best.value, found.end, { after: best.at });
  assert.ok(found.levels[left]!.from >= 120 && found.levels[left]!.from <= 140, String(found.levels[left]!.from));
  assert.equal(extreme(found, -1).value < 0.2, true);
});

/** Levels as they are: one value each. */
const levelsOf = (values: readonly number[]) => course("x", values, 1)!;

Deno.test("departure() is where a slow start begins, not where it has gone far; noise is no departure", () => {
  // Half flat, then a square: a quarter of the way is reached at level 18.
  const slow = levelsOf(Array.from({ length: 24 }, (_, at) => at < 12 ? 0 : ((at - 11) / 12) ** 2));
  assert.equal(departure(slow, 0, 1), 14);
  // Under noise of a tenth of the way a level of an eighth says nothing.
  const rough = levelsOf(Array.from({ length: 24 }, (_, at) => (at < 12 ? 0 : 1) + (at % 2 === 0 ? 0.12 : -0.12)));
  assert.equal(departure(rough, 0, 1), 12);
});

Deno.test("departure() and crossing() look over one level that is out of line, not over a return", () => {
  const fallen = (...out: number[]) =>
    levelsOf(Array.from({ length: 24 }, (_, at) => at < 4 || out.includes(at) ? 1 : 0));
  assert.deepEqual([departure(fallen(18), 1, 0), crossing(fallen(18), 0.5, -1)], [4, 4]);
  assert.deepEqual([departure(fallen(17, 18), 1, 0), crossing(fallen(17, 18), 0.5, -1)], [19, 19], "two in a row");
  assert.equal(crossing(fallen(8, 12, 16, 20), 0.5, -1), 21, "every fourth");
  assert.equal(crossing(fallen(23), 0.5, -1), -1, "the end itself");
});

Deno.test("courseOf() refuses a part of a run: what goes on in its last train steps is no course", () => {
  const parts = {
    imported: false,
    trainSteps: Array.from({ length: 40 }, (_, i) => i),
    columns: new Map([["kl", draws(40)]]),
  };
  assert.equal(courseOf(new RunView(parts), "kl")!.values.length, 40);
  assert.throws(() => courseOf(new RunView({ ...parts, isWhole: false }), "kl"), NoCourse);
});

Deno.test("noiseOf() values that are mostly one is that of the others, and of a constant 0", () => {
  assert.ok(noiseOf([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]) > 0.1);
  assert.equal(noiseOf([1, 1, 1, 1, 1]), 0);
});

Deno.test("isConfirmed() wants two of the last three levels behind the best one to show it", () => {
  const at = (...last: number[]) => isConfirmed(levelsOf([0.5, 0.6, 0.6, 0.6, 0.6, 0.6, ...last]), 0.6);
  assert.deepEqual([at(0.6, 0.1), at(0.1, 0.1), at(0.1, 0.6, 0.1), at(0.1, 0.6, 0.6)], [false, true, true, false]);
  // What was low before the best level is no fall from it.
  const young = levelsOf([0.1, 0.1, 0.2, 0.6, 0.1]);
  assert.deepEqual([isConfirmed(young, 0.6), isConfirmed(young, 0.6, 3)], [true, false]);
});

Deno.test("wayFrom() is the way from the best levels to where it stands, less certain the farther they lie", () => {
  const fall = (at: number) => Array.from({ length: 240 }, (_, i) => i < 240 * at ? 1 : 0.2);
  const values = fall(0.5).map((value, i) => value + 0.1 * draws(240, 9)[i]!), found = course("reward", values)!;
  const way = wayFrom(found, 1, { until: "end" });
  assert.deepEqual([way.from, way.to, way.best], [extreme(found).value, found.end, extreme(found).at]);
  assert.equal(way.by, way.to - way.from);
  assert.equal(way.left, departure(found, way.from, way.to, { after: way.best }));
  assert.ok(way.sigma < -8, String(way.sigma));
  assert.ok(wayFrom(found, -1).sigma > -1, "the lowest levels are the last ones");
  assert.deepEqual(wayFrom(course("x", Array(40).fill(3))!, 1).sigma, 0);
  const slow = course("x", draws(300, 4).reduce<number[]>((all, draw) => [...all, (all.at(-1) ?? 0) + draw], []))!;
  assert.ok(errorOf(slow, slow.width, 1) < 0.7 * errorOf(slow), "what wanders goes farther in more time");
  const up = wayFrom(slow, -1, { until: "end" }), apart = slow.levels.length - slow.width - up.best - 1;
  assert.ok(apart > 0, String(apart));
  assert.equal(up.sigma, up.by / errorOf(slow, slow.width, apart));
});

Deno.test("isConfirmed() counts what lies beyond half of the way, not what is a little lower", () => {
  const of = (...last: number[]) => isConfirmed(course("eval", [0.5, 0.5, 0.5, 0.5, 0.5, ...last], 1)!, 0.5);
  // The end is the mean of the last two, 0.34 and 0.25: half of the way there is 0.42 and 0.375.
  assert.deepEqual([of(0.5, 0.48, 0.2), of(0.5, 0.3, 0.2)], [false, true]);
});
