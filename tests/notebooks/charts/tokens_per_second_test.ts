import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart tokens_per_second draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("tokens_per_second"), /train step/);
});
