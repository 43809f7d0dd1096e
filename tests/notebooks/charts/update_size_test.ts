import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart update_size draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("update_size"), /train step/);
});
