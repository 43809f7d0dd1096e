import assert from "node:assert/strict";
import { table } from "arquero";
import { groupNumbers, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import type { ChartTables } from "../../../notebooks/charts/chart.ts";
import { chooseSource } from "../../../notebooks/choose_source.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart zero_spread draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("zero_spread"), /train step/);
});

Deno.test("chart zero_spread expects p^G + (1-p)^G of rewards of two values, and nothing of others", () => {
  const source = CHARTS.zero_spread.sources.at(-1)!;
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
  // A group of one counts among all, as in the metric zero_spread_fraction, and is not expected to tie.
  assert.deepEqual(drawn([[1, 1], [0]]), [["without spread", 0.5], ["expected at this pass rate", 1]]);
});

Deno.test("chart zero_spread agrees with the metric of the same name, also where a prompt was drawn twice", () => {
  const source = CHARTS.zero_spread.sources.at(-1)!;
  const rows = [[7, 0, 1], [7, 1, 1], [8, 0, 0], [8, 1, 1], [7, 0, 0], [7, 1, 0], [9, 0, null]].map(
    ([prompt_id, sample, reward]) => ({ train_step: 1, prompt_id, sample, reward }),
  );
  const [measured] = source.rows!(rows);
  const ids = groupNumbers(table({ prompt_id: rows.map((r) => r.prompt_id), sample: rows.map((r) => r.sample) }));
  assert.equal(measured!["value"], zeroSpreadFraction(rows.map((r) => r.reward ?? null), ids));
  assert.equal(measured!["value"], 0.5);
});

Deno.test("chart zero_spread takes the metric where the completions are those that a filter let through", () => {
  const completions = [0, 1].flatMap((prompt_id) =>
    [0, 1].map((sample) => ({ train_step: 1, prompt_id, sample, reward: sample }))
  );
  const metrics = [{ train_step: 1, zero_spread_fraction: 0.25 }];
  const of = (tables: ChartTables) => chooseSource(CHARTS.zero_spread, tables)!.source.reads;
  assert.equal(of({ completions, metrics }), "metrics");
  assert.equal(of({ completions }), "completions");
  const tied = completions.map((row) => ({ ...row, reward: row.prompt_id && 1 - row.sample }));
  assert.equal(of({ completions: tied, metrics }), "completions");
});
