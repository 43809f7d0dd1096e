import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart critic_values draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("critic_values"), /value, units of the reward/);
});

Deno.test("chart critic_values takes an even choice of the tokens that count and are finite", () => {
  const [source] = CHARTS.critic_values.sources;
  const row = { train_step: 1, values: [-1, -2, -3], returns: [-1.5, -Infinity, -3.5], completion_mask: [1, 1, 0] };
  const drawn = source.rows!([row]);
  assert.deepEqual(drawn.map((token) => [token["value"], token["return"], token["token"]]), [[-1, -1.5, 0]]);
  assert.equal(source.rows!(Array(900).fill(row)).length, 500);
});

Deno.test("chart critic_values takes the last third of the train steps", () => {
  const [source] = CHARTS.critic_values.sources;
  const rows = [1, 2, 3, 4, 5, 6].map((train_step) => ({ train_step, values: [train_step], returns: [0] }));
  assert.deepEqual(source.rows!(rows).map(({ value }) => value), [5, 6]);
});
