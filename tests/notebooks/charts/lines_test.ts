import assert from "node:assert/strict";
import { STEP_AXIS } from "../../../notebooks/charts/chart.ts";
import { colorOf, DASHED, lineChart } from "../../../notebooks/charts/lines.ts";
import { PALETTE } from "../../../notebooks/charts/palette.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { ticksOf } from "./check_chart.ts";

const CHART = lineChart({
  title: "t",
  about: "a",
  lines: [{ column: "kl", label: "kl", color: PALETTE.first }],
  y: "nats",
});

const draw = (values: readonly (number | null)[], every = 1) =>
  toSvg(chartSpec(CHART, { metrics: values.map((kl, i) => ({ train_step: every * i + 1, kl })) }));

/** The bold line: its path. */
function bold(svg: string): string {
  const path = /d="([^"]+)"[^>]*stroke-width="2"/.exec(svg);
  assert(path, "there is no bold line");
  return path[1]!;
}

const pieces = (path: string) => path.split("M").length - 1;
const heights = (path: string) => Array.from(path.matchAll(/[ML]([-\d.]+),([-\d.]+)/g), ([, , y]) => Number(y));

Deno.test("lineChart() leaves a gap for NaN, and none where nothing was measured", async () => {
  assert.equal(pieces(bold(await draw([0.1, 0.2, 0.3, 0.4]))), 1);
  assert.equal(pieces(bold(await draw([0.1, 0.2, NaN, 0.3, 0.4]))), 2);
  assert.equal(pieces(bold(await draw([0.1, 0.2, null, 0.3, 0.4]))), 1);
  assert(!(await draw([0.1, NaN, null, 0.4])).includes("NaN"));
});

Deno.test("lineChart() is a median of nine train steps where there are many, the values where they are few or far apart", async () => {
  const spikes = (n: number) => Array.from({ length: n }, (_, i) => i % 7 ? 0 : 1);
  assert.equal(new Set(heights(bold(await draw(spikes(60))))).size, 1);
  assert.equal(new Set(heights(bold(await draw(spikes(60), 25)))).size, 2);
  assert.equal(new Set(heights(bold(await draw(spikes(10))))).size, 2);
});

Deno.test("lineChart() shows a cliff as a cliff, at its train step, and the values beside the median", async () => {
  const cliff = await draw(Array.from({ length: 60 }, (_, i) => i < 30 ? 1 : 0));
  const drawn = heights(bold(cliff));
  assert.deepEqual([new Set(drawn).size, drawn.findIndex((y) => y !== drawn[0])], [2, 30]);
  // Fallen at its second train step, before a median can know: the thin line says it.
  const thin = /d="([^"]+)"[^>]*stroke-width="1"[^>]*opacity="0\.5"/.exec(await draw([1, ...Array(59).fill(0)]));
  const values = heights(thin![1]!);
  assert.deepEqual([new Set(values).size, values.findIndex((y) => y !== values[0])], [2, 1]);
});

Deno.test("lineChart() shows one value as a point", async () => {
  const svg = await draw([0.1]);
  assert.match(svg, new RegExp(`aria-roledescription="point"[^>]*fill="${PALETTE.first}"`));
  assert.doesNotMatch(await draw(Array(40).fill(0.1)), /aria-roledescription="point"/);
});

Deno.test("STEP_AXIS counts: no tick stands between two train steps", async () => {
  const labels = Array.from((await draw([0, 1, 0])).matchAll(/>(\d[\d.]*)<\/text>/g), ([, text]) => text!);
  assert.deepEqual(labels.slice(0, 3), ["1", "2", "3"]);
  assert.equal(STEP_AXIS.axis.tickMinStep, 1);
});

Deno.test("what is constant, or but for the noise of float64, has a scale with several ticks around it", async () => {
  for (const values of [[0], [0.02, 0.02], [-3, -3], Array(50).fill(0), [1e-18, -3.469e-18, 0]]) {
    const ticks = await ticksOf("grad_norm", "grad_norm", values), most = Math.max(...values.map(Math.abs));
    assert(ticks.length >= 3 && new Set(ticks).size === ticks.length, `${values}: ${ticks}`);
    assert(Math.max(...ticks) - Math.min(...ticks) > 0.5 * (most < 1e-12 ? 1 : most), `${values}: ${ticks}`);
  }
  const small = await ticksOf("relative_update", "relative_update", [2e-7, 3e-7]);
  assert(Math.max(...small) < 1e-6, `what is small is no noise: ${small}`);
});

Deno.test("a legend stands in as few rows as a drawing of 350 units has room for", () => {
  const columns = (labels: readonly string[]) => {
    const lines = labels.map((label) => ({ label, color: PALETTE.first }));
    return (colorOf(lines, true)["legend"] as { columns: number }).columns;
  };
  assert.equal(columns(["mean", "longest", "shortest", "of those that ended"]), 4);
  assert.equal(columns(["without spread", "expected at this pass rate"]), 2);
  assert.equal(columns(["clipped", "at the lower bound", "at the upper bound", "by ratio_cap"]), 2);
  assert.equal(columns(["a very long name of a reward function that nobody reads", "b"]), 1);
});

Deno.test("a dashed line has gaps, drawn and in the legend, and its points are the smaller ones", async () => {
  const chart = lineChart({
    title: "t",
    about: "a",
    lines: [
      { column: "loss", label: "loss", color: PALETTE.first },
      { column: "expected_loss", label: "expected", color: PALETTE.second, dash: DASHED },
    ],
    y: "nats",
  });
  const metrics = [1, 2, 3].map((train_step) => ({ train_step, loss: train_step, expected_loss: train_step }));
  const svg = await toSvg(chartSpec(chart, { metrics }), (text) => assert.fail(text));
  assert(svg.split('stroke-dasharray="4,4"').length - 1 >= 2, "its bold line and its place in the legend");
  assert.doesNotMatch(await draw([1, 2, 3]), /stroke-dasharray/);
});

Deno.test("lineChart() takes the median of four train steps to each side, and no more", async () => {
  // Five high ones are most of nine around the middle one alone, and of eleven around none.
  const high = (n: number) => Array.from({ length: 60 }, (_, i) => i >= 30 && i < 30 + n ? 1 : 0);
  assert.equal(new Set(heights(bold(await draw(high(5))))).size, 2);
  assert.equal(new Set(heights(bold(await draw(high(4))))).size, 1);
});

Deno.test("lineChart() smooths what is measured at more than every second train step, and only that", async () => {
  const spikes = Array.from({ length: 60 }, (_, i) => i % 7 ? 0 : 1);
  assert.equal(new Set(heights(bold(await draw(spikes, 2)))).size, 1);
  assert.equal(new Set(heights(bold(await draw(spikes, 2.5)))).size, 2);
});
