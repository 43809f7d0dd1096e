import assert from "node:assert/strict";
import { PALETTE } from "../../../notebooks/charts/palette.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart loss draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("loss"), /train step/);
});

Deno.test("chart loss shows its closed form where both lie on each other: dashed, above, and named so", async () => {
  const draw = (steps: number) =>
    toSvg(chartSpec(CHARTS.loss, {
      metrics: Array.from({ length: steps }, (_, i) => ({ train_step: i + 1, loss: i / 9, expected_loss: i / 9 })),
    }));
  const svg = await draw(40);
  const bold = Array.from(
    svg.matchAll(/stroke="(#\w+)"[^>]*?stroke-width="2"(?: stroke-dasharray="([\d,]+)")?/g),
    ([, color, dashes]) => [color, dashes],
  ).slice(-2);
  assert.deepEqual(bold, [[PALETTE.first, "1,0"], [PALETTE.second, "4,4"]], svg);
  // Of few train steps, each a point: the closed form's is the smaller one.
  const radius = (text: string, color: string) =>
    Number(new RegExp(`aria-roledescription="point"[^>]*? d="M([\\d.]+),0[^>]*fill="${color}"`).exec(text)?.[1]);
  const few = await draw(5);
  assert(radius(few, PALETTE.second) < 0.6 * radius(few, PALETTE.first), few);
});
