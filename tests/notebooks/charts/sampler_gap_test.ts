import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart sampler_gap draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("sampler_gap"), /sampler, nats/);
});

Deno.test("chart sampler_gap takes an even choice of the tokens that count and are finite", () => {
  const [source] = CHARTS.sampler_gap.sources;
  const row = {
    train_step: 1,
    sampler_logprobs: [-1, -2, -3],
    old_logprobs: [-1.5, -Infinity, -3.5],
    completion_mask: [1, 1, 0],
  };
  const drawn = source.rows!([row]);
  assert.deepEqual(drawn.map((token) => [token["sampler"], token["trainer"], token["token"]]), [[-1, -1.5, 0]]);
  assert.equal(source.rows!(Array(900).fill(row)).length, 500);
});
