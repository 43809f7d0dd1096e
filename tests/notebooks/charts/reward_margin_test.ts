import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart reward_margin draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("reward_margin"), /train step/);
});
