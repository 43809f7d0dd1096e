import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart relative_update draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("relative_update"), /train step/);
});
