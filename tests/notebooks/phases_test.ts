import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import { PALETTE } from "../../notebooks/charts/palette.ts";
import { captionOf, panels, phaseName, phasesOf } from "../../notebooks/phases.ts";

/** A warm start of 600 train steps, whose accuracy is measured at every 25th, then 40 of reinforcement. */
const ROWS: Row[] = Array.from({ length: 640 }, (_, i) => ({
  train_step: i + 1,
  phase: i < 600 ? "sft" : "rollout",
  loss: i < 600 ? 2 - i / 300 : i % 2,
  accuracy: i < 600 ? ((i + 1) % 25 ? null : i / 1200) : 0.5 + i / 2000,
  reward: i < 600 ? null : i / 1000,
  sample_ms: i < 600 ? null : 20,
  score_ms: i < 600 ? null : 2,
  update_ms: 10,
}));

/** Widths that the drawn lines and areas take, in units of the picture, in their order. */
const widths = (svg: string) =>
  Array.from(svg.matchAll(/aria-roledescription="(?:line|area) mark"[^>]*? d="([^"]+)"/g), ([, path]) => {
    const xs = Array.from(path!.matchAll(/[ML]([-\d.]+),/g), ([, x]) => Number(x));
    return Math.max(...xs) - Math.min(...xs);
  });

for (const name of ["loss", "accuracy", "phase_times"] as const) {
  Deno.test(`chart ${name} gives each phase its own train steps and an equal part of the picture`, async () => {
    const svg = await toSvg(chartSpec(CHARTS[name], { metrics: ROWS }));
    for (const title of ["warm start, supervised", "reinforcement"]) assert(svg.includes(`>${title}</text>`), title);
    const drawn = widths(svg).filter((width) => width > 0);
    assert(drawn.length >= 2);
    for (const width of drawn) assert(width > 150, `a phase is only ${width} of 420 wide`);
    assert.match(svg, />640<|>630<|>620</);
  });
}

Deno.test("a chart of one phase has one panel", async () => {
  const svg = await toSvg(chartSpec(CHARTS.reward, { metrics: ROWS }));
  assert(!svg.includes("reinforcement"));
  assert(widths(svg).every((width) => width > 390 && width <= 420), String(widths(svg)));
});

Deno.test("phasesOf() names phases in the order they began; panels() share a scale where the chart says so", () => {
  assert.deepEqual(phasesOf(ROWS), ["warm start, supervised", "reinforcement"]);
  assert.deepEqual(phasesOf([{ train_step: 1 }]), [""]);
  assert.equal(phaseName("other"), "other");
  const size = { width: 420, height: 190 };
  assert.equal(panels({}, ["a", "b"], true, size).resolve.scale.y, "shared");
  assert.equal(panels({}, ["a", "b"], false, size).resolve.scale.y, "independent");
});

Deno.test("captionOf() speaks of the phases that have values of the chart, and of no others", () => {
  const said = (phase: string) => captionOf(CHARTS.entropy, [{ train_step: 1, phase, entropy: 1 }]);
  assert.match(said("rollout"), /^Mean entropy.*collapse\.$/);
  for (const phase of ["sft", "preference"]) assert.doesNotMatch(said(phase), /reward/);
  assert.equal(captionOf(CHARTS.entropy, []), CHARTS.entropy.about);
  assert.match(captionOf(CHARTS.loss, ROWS), /Supervised: .* A policy objective/);
});

Deno.test("the legend names the lines that have values, in their colours", async () => {
  const drawn = (row: Row) =>
    toSvg(chartSpec(CHARTS.completion_length, { metrics: [1, 2].map((train_step) => ({ train_step, ...row })) }));
  const one = await drawn({ completion_length: null, completion_length_max: 9 });
  assert(one.includes(">longest<") && !one.includes(">mean<"));
  assert(one.includes(PALETTE.muted) && !one.includes(PALETTE.first));
  assert.match(await drawn({ completion_length: 5, completion_length_max: 9 }), />mean<[^]*>longest</);
  const times = await toSvg(chartSpec(CHARTS.phase_times, { metrics: ROWS.slice(0, 600) }));
  assert.doesNotMatch(times, />sampling</);
});

Deno.test("a chart of several phases is as wide as one of a single phase", async () => {
  const width = async (rows: readonly Row[], name: "loss" | "accuracy") =>
    Number(/<svg [^>]*width="([\d.]+)"/.exec(await toSvg(chartSpec(CHARTS[name], { metrics: rows })))![1]);
  for (const name of ["loss", "accuracy"] as const) {
    const [one, two] = [await width(ROWS.slice(600), name), await width(ROWS, name)];
    assert(Math.abs(two - one) <= 20, `${name}: ${two} beside ${one}`);
  }
});

Deno.test("the panels of phases stand in the order in which the phases began", async () => {
  const svg = await toSvg(chartSpec(CHARTS.loss, { metrics: ROWS }));
  const began = ["warm start, supervised", "reinforcement"].map((title) => svg.indexOf(`>${title}</text>`));
  assert(began[0]! >= 0 && began[0]! < began[1]!, String(began));
});
