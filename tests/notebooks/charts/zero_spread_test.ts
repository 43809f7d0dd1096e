import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart zero_spread draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("zero_spread"), /train step/);
});

Deno.test("chart zero_spread expects p^G + (1-p)^G of rewards of two values, and nothing of others", () => {
  const [source] = CHARTS.zero_spread.sources;
  const groups = (rewards: readonly number[][]) =>
    rewards.flatMap((group, prompt_id) => group.map((reward) => ({ train_step: 1, prompt_id, reward })));
  const drawn = (rewards: readonly number[][]) =>
    source.rows!(groups(rewards)).map(({ label, value }) => [label, value]);
  assert.deepEqual(drawn([[1, 1], [0, 0], [1, 0], [1, 1]]), [
    ["without spread", 0.75],
    ["expected at this pass rate", 0.625 ** 2 + 0.375 ** 2],
  ]);
  assert.deepEqual(drawn([[1, 0.5], [0, 0]]), [["without spread", 0.5]]);
  assert.deepEqual(drawn([[1], [0]]), []);
});
