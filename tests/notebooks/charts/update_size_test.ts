import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart update_size draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("update_size"), /train step/);
});

Deno.test("chart update_size has its band where clean runs lie", () => {
  const metrics = [1, 2].map((train_step) => ({ train_step, update_size: 0.5 }));
  const { layer } = chartSpec(CHARTS.update_size, { metrics }) as unknown as { layer: [{ encoding: unknown }] };
  const { y, y2 } = layer[0].encoding as { y: { datum: number }; y2: { datum: number } };
  assert.deepEqual([y.datum, y2.datum], [0.17, 1.09]);
});
