import assert from "node:assert/strict";
import { comparedRows, comparisonChart } from "../../notebooks/comparison.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import { PALETTE, SERIES } from "../../notebooks/charts/palette.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";

const run = (label: string, warm: number, values: readonly number[]) => ({
  label,
  rows: [
    ...Array.from({ length: warm }, (_, i) => ({ train_step: i + 1, phase: "sft", reward: null })),
    ...values.map((reward, i) => ({ train_step: warm + i + 1, phase: "rollout", reward })),
  ],
});
const seeded = (seed: number, values: readonly number[]) => ({ ...run("a", 0, values), seed });

Deno.test("comparedRows() counts from the first train step of the phase, and averages runs of one label", () => {
  const rows = comparedRows("reward", [run("a", 5, [0, 1]), run("a", 9, [1, 3]), run("b", 0, [7])]);
  assert.deepEqual(rows, [
    { train_step: 1, label: "a", value: 0.5, low: 0, high: 1, seeds: 2 },
    { train_step: 2, label: "a", value: 2, low: 1, high: 3, seeds: 2 },
    { train_step: 1, label: "b", value: 7 },
  ]);
});

Deno.test("comparedRows() takes a foreign log, which knows no phase, beside a run of ours", () => {
  const foreign = { label: "trl", rows: [{ train_step: 10, reward: 2 }, { train_step: 20, reward: 3 }] };
  const rows = comparedRows("reward", [run("ours", 3, [1, 2]), foreign]);
  // Written every ten steps: its step 10 stands where step 10 of any run does.
  assert.deepEqual(rows.filter(({ label }) => label === "trl").map(({ train_step }) => train_step), [10, 20]);
  assert.deepEqual(rows.filter(({ label }) => label === "ours").map(({ value }) => value), [1, 2]);
});

Deno.test("comparedRows() takes the last phase in which all have the column, else each run's own", () => {
  const row = (train_step: number, phase: string, kl: number | null) => ({ train_step, phase, kl });
  const grpo = { label: "grpo", rows: [row(1, "sft", null), row(2, "rollout", 0.1)] };
  const dpo = { label: "dpo", rows: [row(1, "sft", null), row(2, "sft", null), row(3, "preference", 0.2)] };
  assert.deepEqual(comparedRows("kl", [grpo, dpo]), [
    { train_step: 1, label: "grpo", value: 0.1 },
    { train_step: 1, label: "dpo", value: 0.2 },
  ]);
  const warm = { label: "sft", rows: [row(1, "sft", 0.3)] };
  const all = { label: "both", rows: [row(1, "sft", 0.4), row(2, "rollout", 0.5)] };
  assert.deepEqual(comparedRows("kl", [all, warm]).map(({ value }) => value), [0.4, 0.3]);
  assert.deepEqual(comparedRows("kl", [{ label: "a", rows: [row(1, "sft", 1), row(2, "rollout", null)] }]), [
    { train_step: 1, label: "a", value: 1 },
  ], "a phase without it is none");
});

Deno.test("comparisonChart() draws a line for each label and a band for several seeds, without a warning", async () => {
  const metrics = comparedRows("reward", [run("a", 1, [0, 1, 2]), run("a", 1, [1, 2, 4]), run("b", 1, [3, 2, 1])]);
  const svg = await toSvg(chartSpec(comparisonChart("reward"), { metrics }), (text) => assert.fail(text));
  assert.match(svg, />a<\/text>[^]*>b<\/text>/);
  assert.match(svg, /area mark/);
});

Deno.test("comparisonChart() has the metric's unit on its axis, or its name where it has none, and never both", async () => {
  const axis = async (column: string) => {
    const metrics = comparedRows(column, [{
      label: "a",
      rows: [1, 2].map((train_step) => ({ train_step, [column]: train_step })),
    }]);
    const svg = await toSvg(chartSpec(comparisonChart(column), { metrics }));
    return /text-anchor="middle" transform="translate\([^)]*\) rotate\(-90\)[^>]*>([^<]*)</.exec(svg)?.[1];
  };
  assert.equal(await axis("truncated_fraction"), "fraction of completions");
  assert.equal(await axis("reward"), "reward");
  assert.equal(await axis("advantage_std"), "advantage");
});

Deno.test("comparisonChart() has points for the run of few values alone, and the median of what is noisy", async () => {
  const steps = (n: number, of: (i: number) => number) =>
    Array.from({ length: n }, (_, i) => ({ train_step: i + 1, loss: of(i) }));
  const metrics = comparedRows("loss", [
    { label: "long", rows: steps(80, (i) => i % 7 ? 0 : 1) },
    { label: "short", rows: steps(5, (i) => i) },
  ]);
  const svg = await toSvg(chartSpec(comparisonChart("loss"), { metrics }), (text) => assert.fail(text));
  assert.equal(svg.match(/aria-roledescription="point"/g)?.length, 5);
  const bold = /d="([^"]+)"[^>]*stroke-width="2"/.exec(svg)![1]!;
  assert.equal(new Set(Array.from(bold.matchAll(/[ML][\d.]+,([\d.]+)/g), ([, y]) => y)).size, 1);
});

Deno.test("comparedRows() takes the mean of runs of one seed before the band of seeds, and no band of one seed", () => {
  assert.deepEqual(comparedRows("reward", [seeded(1, [0]), seeded(1, [2]), seeded(2, [4])]), [
    { train_step: 1, label: "a", value: 2.5, low: 1, high: 4, seeds: 2 },
  ]);
  assert.deepEqual(comparedRows("reward", [seeded(1, [0]), seeded(1, [2])]), [{ train_step: 1, label: "a", value: 1 }]);
});

Deno.test("comparisonChart() keeps the raw line under the smoothed one, and tells more lines than colours by dashes", async () => {
  const values = Array.from({ length: 30 }, (_, i) => i % 2);
  const labels = Array.from({ length: 12 }, (_, i) => `run ${i}`);
  const draw = (metrics: ReturnType<typeof comparedRows>) =>
    toSvg(chartSpec(comparisonChart("reward", { labels }), { metrics }), (text) => assert.fail(text));
  const paths = (svg: string) =>
    Array.from(
      svg.matchAll(/<path aria-label="[^"]*" role="graphics-symbol"[^>]* d="[^"]{80,}"[^>]*>/g),
      ([path]) => path,
    );
  const one = paths(await draw(comparedRows("reward", [run("run 1", 0, values)])));
  const attribute = (name: string) => one.map((path) => new RegExp(` ${name}="([^"]*)"`).exec(path)?.[1]);
  assert.deepEqual(attribute("stroke-width"), ["1", "2"]);
  assert.deepEqual(attribute("stroke"), [SERIES[1], SERIES[1]], "its colour is that of its place among all");
  const all = paths(await draw(comparedRows("reward", labels.map((label) => run(label, 0, values)))));
  const bold = all.filter((path) => path.includes('stroke-width="2"'));
  const looks = bold.map((path) => / stroke="[^"]*"/.exec(path)![0] + (/ stroke-dasharray="[^"]*"/.exec(path) ?? ""));
  assert.equal(new Set(looks).size, 12);
});

Deno.test("comparisonChart() draws runs whose names have quotation marks and backslashes", async () => {
  const labels = Array.from({ length: 8 }, (_, i) => `it's \\run "${i}"`);
  const metrics = comparedRows("reward", labels.map((label) => run(label, 0, [1, 2])));
  assert.match(await toSvg(chartSpec(comparisonChart("reward"), { metrics }), (text) => assert.fail(text)), /it's/);
});

Deno.test("comparedRows() has no mean of survivors: none where a seed ended early, NaN where one is not finite", () => {
  const rows = comparedRows("reward", [seeded(1, [0, 1, NaN, 1, 5]), seeded(2, [1, 2, 3, 4])]);
  assert.deepEqual(rows.map(({ value }) => value), [0.5, 1.5, NaN, 2.5]);
  assert.deepEqual(rows.map(({ low, high }) => [low, high]), [[0, 1], [1, 2], [NaN, NaN], [1, 4]]);
  assert(rows.every(({ seeds }) => seeds === 2), "the seed that broke is one of them");
  assert.deepEqual(comparedRows("reward", [seeded(1, [Infinity]), seeded(2, [4])]).map(({ value }) => value), [NaN]);
});

Deno.test("comparisonChart() leaves a gap in line and band where a seed is not finite, and marks and says it", async () => {
  const values = Array.from({ length: 40 }, (_, i) => i);
  const broken = values.map((value) => value >= 10 && value < 30 ? NaN : value + 1);
  const draw = async (second: readonly number[]) => {
    const metrics = comparedRows("reward", [seeded(1, values), seeded(2, second)]);
    const spec = chartSpec(comparisonChart("reward"), { metrics });
    const svg = await toSvg(spec, (text) => assert.fail(text));
    const pieces = (look: string) =>
      [...svg.matchAll(/<path [^>]*>/g)].filter(([path]) => path.includes(look))
        .map(([path]) => / d="([^"]*)"/.exec(path)?.[1]?.match(/M/g)?.length ?? 0);
    return {
      about: String(spec["description"]),
      lines: pieces('stroke-width="2"'),
      area: pieces('fill-opacity="0.16"').concat(pieces('opacity="0.16"')).filter((count) => count > 0),
      marks: [...svg.matchAll(new RegExp(`<path [^>]*${PALETTE.bad}[^>]*>`, "g"))].length,
      axis: svg.includes(">train step of the phase</text>"),
    };
  };
  const [whole, gap] = [await draw(values), await draw(broken)];
  assert.deepEqual([Math.max(...whole.lines), Math.max(...gap.lines)], [1, 2]);
  assert.deepEqual([Math.max(...whole.area), Math.max(...gap.area)], [1, 2]);
  assert(gap.marks >= 20 && whole.marks === 0, `${gap.marks} marks`);
  assert.match(gap.about, /not finite there, in a\./);
  assert.doesNotMatch(whole.about, /not finite/);
  assert(gap.axis);
});

Deno.test("comparisonChart() gives noise the room that the metric's chart gives it", async () => {
  const values = Array.from({ length: 40 }, (_, i) => ((i * 7) % 10 - 5) * 6e-10);
  const rows = values.map((advantage_mean, i) => ({ train_step: i + 1, advantage_mean }));
  const metrics = comparedRows("advantage_mean", [{ label: "a", rows }]);
  const svg = await toSvg(chartSpec(comparisonChart("advantage_mean"), { metrics }), (text) => assert.fail(text));
  assert.match(svg, />0\.0[245]<\/text>/);
  assert.doesNotMatch(svg, />[^<]*e[-−]\d+<\/text>/);
});

Deno.test("comparedRows() puts one step at one place, of a log that is written seldom or begins late, and after a warm start", () => {
  const log = (steps: readonly number[], phase?: string) =>
    steps.map((train_step) => ({ train_step, phase, reward: 1 }));
  const steps = (rows: readonly object[]) =>
    comparedRows("reward", [{ label: "a", rows: rows as Row[] }]).map(({ train_step }) => train_step);
  assert.deepEqual(steps(log([61, 62])), [61, 62]);
  assert.deepEqual(steps(log([10, 20], "rollout")), [10, 20]);
  const warm = log([1, 2, 3], "sft").map((row) => ({ ...row, reward: null }));
  assert.deepEqual(steps([...warm, ...log([13, 23], "rollout")]), [10, 20]);
});
