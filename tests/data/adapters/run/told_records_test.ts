import assert from "node:assert/strict";
import type { Claim, ToldValue } from "../../../../data/adapters/post/said.ts";
import { overRecords, renamedPlaces, TOLD_RECORDS, withTold } from "../../../../data/adapters/run/told_records.ts";
import type { WideTable } from "../../../../data/adapters/run/wide_table.ts";

function printed(steps: number[], columns: Record<string, (number | null)[]>): WideTable {
  return {
    rows: steps.length,
    trainSteps: steps,
    stepsPrinted: true,
    sources: steps.map(() => "log.txt"),
    lines: steps.map((_, i) => 100 + i),
    columns: new Map(Object.entries(columns)),
    printed: new Map(),
    thinned: 0,
  };
}

const NOTHING = printed([], {});
const said = { from: null, to: null, throughout: false, text: "", source: "post.md", line: 7 };
const value = (name: string, values: number[], more: Partial<ToldValue> = {}) => ({
  ...said,
  printed: name,
  name,
  values,
  relation: "is" as const,
  decimals: 2,
  ...more,
});
const claim = (predicate: Claim["predicate"], more: Partial<Claim> = {}) => ({
  ...said,
  subject: "reward" as const,
  predicate,
  value: null,
  by: "author" as const,
  elsewhere: false,
  ...more,
});

const cells = ({ metrics }: ReturnType<typeof withTold>, name: string) => metrics.columns.get(name);

Deno.test("withTold() leaves records alone of which nothing is told", () => {
  const metrics = printed([1], { reward: [0.5] });
  assert.deepEqual(withTold(metrics, [], []), { metrics, places: new Map(), left: [] });
});

Deno.test("withTold() fills a course of records with what holds throughout, each cell with its place", () => {
  const found = withTold(NOTHING, [value("reward", [0], { throughout: true })], []);
  assert.deepEqual(cells(found, "reward"), Array(TOLD_RECORDS).fill(0));
  assert.deepEqual(found.places.get("reward")!.get(3), { source: "post.md", line: 7, trainStep: null, isPoint: false });
  assert.equal(found.places.get("reward")!.get(0)!.isPoint, true);
  assert.equal(found.metrics.stepsPrinted, false, "nobody told a train step");
});

Deno.test("withTold() sets one value at its train step, between and course over their span, a series in order", () => {
  const at = withTold(NOTHING, [value("reward", [0.5], { from: 40, to: 40 })], []);
  assert.deepEqual([at.metrics.trainSteps, cells(at, "reward")], [[40], [0.5]]);
  assert.equal(at.metrics.stepsPrinted, true);
  const course = withTold(NOTHING, [value("reward", [0, 1.1], { relation: "course", from: 1, to: 111 })], []);
  assert.deepEqual([course.metrics.trainSteps[0], course.metrics.trainSteps.at(-1)], [1, 111]);
  assert.deepEqual([cells(course, "reward")![0], cells(course, "reward")!.at(-1)], [0, 1.1]);
  const between = cells(withTold(NOTHING, [value("kl", [1, 2], { relation: "between" })], []), "kl")!;
  assert.deepEqual([...new Set(between)], [1, 2]);
  assert.equal(between[0], between.at(-1), "what lies between goes nowhere");
  const series = cells(withTold(NOTHING, [value("kl", [1, 2, 3], { relation: "series" })], []), "kl")!;
  assert.deepEqual(series.filter((one) => one !== null), [1, 2, 3]);
});

Deno.test("withTold() makes a course of the two numbers that are told, and knows which cells stand for them", () => {
  const fall = value("reward", [0.8, 4.9], { relation: "course", from: null, to: 180 });
  const found = withTold(NOTHING, [fall, value("kl", [0.1], { from: 20, to: 20 })], []);
  assert.deepEqual([...new Set(cells(found, "reward"))], [0.8, 4.9]);
  const points = [...found.places.get("reward")!].filter(([, { isPoint }]) => isPoint);
  const { trainSteps } = found.metrics;
  assert.deepEqual(points.map(([record, { trainStep }]) => [record, trainStep]), [
    [0, null],
    [trainSteps.indexOf(180), 180],
  ]);
  assert(points.length < found.places.get("reward")!.size);
  const range = withTold(NOTHING, [value("kl", [1, 2], { relation: "between" })], []);
  assert([...range.places.get("kl")!.values()].every(({ isPoint }) => !isPoint), "it is at neither at a time");
});

Deno.test("overRecords() spreads evaluations without train steps over the records, the last on the last", () => {
  const evaluations = printed([1, 2, 3], { accuracy: [0.3, null, 0.1] });
  assert.deepEqual(overRecords(evaluations, printed([10, 20, 30, 40, 50], {})).trainSteps, [10, 30, 50]);
  assert.deepEqual(overRecords(evaluations, NOTHING).trainSteps, [1, 2, 3]);
});

Deno.test("renamedPlaces() finds the cells that are told under the new name of their column", () => {
  const before = printed([1], { "val/accuracy": [0.3], loss: [1] });
  const places = withTold(NOTHING, [value("kl", [1])], []).places.get("kl")!;
  const after = { ...before, columns: new Map([["accuracy", before.columns.get("val/accuracy")!]]) };
  assert.deepEqual([...renamedPlaces(new Map([["val/accuracy", places]]), before.columns, after)], [[
    "accuracy",
    places,
  ]]);
});

Deno.test("withTold() sets what is said of the end on the last record alone", () => {
  const found = cells(withTold(NOTHING, [value("reward", [0.5], { atEnd: true })], []), "reward")!;
  assert.equal(found.at(-1), 0.5);
  assert(found.slice(0, -1).every((one) => one === null));
});

Deno.test("withTold() makes a number of zero, and of no other claim, nor of others or another run", () => {
  assert.deepEqual(cells(withTold(NOTHING, [], [claim("zero", { throughout: true })]), "reward"), Array(12).fill(0));
  for (
    const one of [
      claim("not_finite"),
      claim("not_finite", { throughout: true }),
      claim("not_finite", { from: 40 }),
      claim("rises"),
      claim("zero", { by: "other" }),
      claim("zero", { elsewhere: true }),
      claim("zero", { value: 0 }),
      claim("zero", { subject: "completions" }),
    ]
  ) assert.equal(withTold(NOTHING, [], [one]).metrics, NOTHING, JSON.stringify(one));
});

Deno.test("withTold() adds nothing to a column that is printed, and says what contradicts it", () => {
  const metrics = printed([1, 2], { reward: [0.5, 0.6], loss: [null, 0.1] });
  const found = withTold(metrics, [
    value("reward", [0], { throughout: true }),
    value("loss", [0.25], { from: 1, to: 1 }),
    value("kl", [0.02], { from: 1, to: 1 }),
  ], []);
  assert.deepEqual(cells(found, "reward"), [0.5, 0.6]);
  assert.deepEqual(found.left, [
    { source: "post.md", line: 7, reason: "reward is told to be 0, and is printed otherwise" },
  ]);
  assert.deepEqual(cells(found, "loss"), [null, 0.1]);
  assert.deepEqual([cells(found, "kl"), [...found.places.get("kl")!.keys()]], [[0.02, null], [0]]);
  assert.deepEqual(found.metrics.lines, [100, 101], "records keep their places");
});

Deno.test("withTold() makes no records beside a course that is printed, but for a train step that is told", () => {
  const course = printed([1, 2, 3], { reward: [0.42, 0.49, 0.55] });
  for (
    const told of [
      value("reward", [0.42, 0.55], { relation: "course" }),
      value("reward", [0, 1], { relation: "between", throughout: true }),
    ]
  ) assert.equal(withTold(course, [told], []).metrics, course);
  assert.equal(withTold(course, [], [claim("zero", { throughout: true })]).metrics, course);
  const entropy = withTold(course, [value("entropy", [1, 0.5], { relation: "course" })], []);
  assert.deepEqual([entropy.metrics.trainSteps, cells(entropy, "reward")], [[1, 2, 3], [0.42, 0.49, 0.55]]);
  assert.deepEqual([cells(entropy, "entropy")!.at(0), cells(entropy, "entropy")!.at(-1)], [1, 0.5]);
  const later = value("kl", [0.4], { from: 300, to: 300 });
  assert.deepEqual(withTold(course, [later], []).metrics.trainSteps, [1, 2, 3, 300]);
  const uncounted = { ...course, stepsPrinted: false };
  assert.equal(withTold(uncounted, [later], []).metrics, uncounted, "records are no train steps");
});

Deno.test("withTold() takes nothing beside ten records and more, and says so once", () => {
  const steps = Array.from({ length: 10 }, (_, i) => i + 1), metrics = printed(steps, { loss: steps });
  const found = withTold(metrics, [value("reward", [0]), value("kl", [1])], []);
  assert.equal(found.metrics, metrics);
  assert.deepEqual(found.left.map(({ reason }) => reason), ["2 numbers told in prose, beside 10 records"]);
  assert.equal(withTold(printed(steps.slice(1), { loss: steps.slice(1) }), [value("reward", [0])], []).left.length, 0);
});

Deno.test("withTold() takes evaluations apart, and brings values into the column's unit", () => {
  const all = [value("eval_loss", [0.5]), value("step_time", [0.25])];
  assert.deepEqual(cells(withTold(NOTHING, all, [], true), "loss"), [0.5]);
  assert.deepEqual(cells(withTold(NOTHING, all, []), "step_ms"), [250]);
});

Deno.test("withTold() takes numbers of one line for one after the other", () => {
  const found = cells(withTold(NOTHING, [value("reward", [0.1]), value("reward", [0.2])], []), "reward")!;
  assert.deepEqual(found.slice(0, 2), [0.1, 0.2]);
});

Deno.test("withTold() fills the records around one or two that print just what is told of the whole run", () => {
  const told = [value("reward", [0], { from: 1, throughout: true })];
  const found = withTold(printed([1, 2], { reward: [0, 0] }), told, []);
  assert.deepEqual(cells(found, "reward"), Array(TOLD_RECORDS).fill(0));
  const places = found.places.get("reward")!;
  assert.deepEqual([...places.keys()][0], 2);
  assert([...places.values()].every(({ isPoint }) => !isPoint), "what is drawn is what is printed");
  for (const reward of [[0, 0.2], [0, 0, 0]]) {
    const other = printed(reward.map((_, i) => i + 1), { reward });
    assert.equal(withTold(other, told, []).metrics, other);
  }
});
