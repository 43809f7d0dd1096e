import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart clip_fraction draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("clip_fraction"), /train step/);
});
