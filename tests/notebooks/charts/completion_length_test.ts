import assert from "node:assert/strict";
import { checkChart, ticksOf } from "./check_chart.ts";

Deno.test("chart completion_length draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("completion_length"), /train step/);
});

Deno.test("chart completion_length has ticks at whole tokens alone, also where the mean hardly moves", async () => {
  for (const values of [[15.2, 15.21, 15.19], [3.2], [0.4, 0.5], [12.5, 400.25, 88.1]]) {
    const ticks = await ticksOf("completion_length", "completion_length", values);
    assert(ticks.every((tick) => Number.isInteger(tick) && tick >= 0), `${ticks}`);
    assert.equal(new Set(ticks).size, ticks.length, `${ticks}`);
  }
});
