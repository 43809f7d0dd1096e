import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart phase_times draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("phase_times"), /train step/);
});

Deno.test("chart phase_times shows one train step as a bar, several as areas", async () => {
  const draw = (...steps: number[]) =>
    toSvg(
      chartSpec(CHARTS.phase_times, {
        metrics: steps.map((train_step) => ({ train_step, sample_ms: 5, update_ms: 9 })),
      }),
      (text) => assert.fail(text),
    );
  assert.match(await draw(1), /aria-roledescription="bar"/);
  assert.doesNotMatch(await draw(1, 2), /aria-roledescription="bar"/);
  assert.match(await draw(1, 2), /aria-roledescription="area mark"/);
});
