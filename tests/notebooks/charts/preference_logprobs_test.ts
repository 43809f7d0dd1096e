import assert from "node:assert/strict";
import { checkChart } from "./check_chart.ts";

Deno.test("chart preference_logprobs draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("preference_logprobs"), /train step/);
});
