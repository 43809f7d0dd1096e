import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import { panels, phaseName, phasesOf } from "../../notebooks/phases.ts";

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
    const svg = await toSvg(chartSpec(CHARTS[name], ROWS));
    for (const title of ["warm start, supervised", "reinforcement"]) assert(svg.includes(`>${title}</text>`), title);
    const drawn = widths(svg).filter((width) => width > 0);
    assert(drawn.length >= 2);
    for (const width of drawn) assert(width > 150, `a phase is only ${width} of 420 wide`);
    assert.match(svg, />640<|>630<|>620</);
  });
}

Deno.test("a chart of one phase has one panel", async () => {
  const svg = await toSvg(chartSpec(CHARTS.reward, ROWS));
  assert(!svg.includes("reinforcement"));
  assert(widths(svg).every((width) => width === 420), String(widths(svg)));
});

Deno.test("phasesOf() names phases in the order they began; panels() share a scale where the chart says so", () => {
  assert.deepEqual(phasesOf(ROWS), ["warm start, supervised", "reinforcement"]);
  assert.deepEqual(phasesOf([{ train_step: 1 }]), [""]);
  assert.equal(phaseName("other"), "other");
  const size = { width: 420, height: 190 };
  assert.equal(panels(CHARTS.accuracy, ["a", "b"], size).resolve.scale.y, "shared");
  assert.equal(panels(CHARTS.loss, ["a", "b"], size).resolve.scale.y, "independent");
});
