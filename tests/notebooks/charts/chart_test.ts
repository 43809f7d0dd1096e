import assert from "node:assert/strict";
import { lineChart, PALETTE, STEP_AXIS } from "../../../notebooks/charts/chart.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

const CHART = lineChart({
  title: "t",
  about: "a",
  lines: [{ column: "kl", label: "kl", color: PALETTE.first }],
  y: "nats",
});

const draw = (values: readonly (number | null)[], every = 1) =>
  toSvg(chartSpec(CHART, values.map((kl, i) => ({ train_step: every * i + 1, kl }))));

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

Deno.test("lineChart() is a mean of ten train steps where there are many, the values where they are few or far apart", async () => {
  const jumps = (n: number) => Array.from({ length: n }, (_, i) => i < n / 2 ? 0 : 1);
  assert.equal(new Set(heights(bold(await draw(jumps(60))))).size, 11);
  assert.equal(new Set(heights(bold(await draw(jumps(60), 25)))).size, 2);
  assert.equal(new Set(heights(bold(await draw(jumps(10))))).size, 2);
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
