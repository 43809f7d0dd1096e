import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart reward draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("reward"), /train step/);
});

Deno.test("chart reward has a mean and a band for each of several functions, none beyond the values there are", () => {
  const [source] = CHARTS.reward.sources;
  const rows = source.rows!(
    [0, 0, 0, 1].map((x) => ({ train_step: 1, reward: x + 2, "reward.verifier": x, "reward.format": 2 })),
  );
  assert.deepEqual(rows.map(({ label, value }) => [label, value]), [["reward", 2.25], ["verifier", 0.25], [
    "format",
    2,
  ]]);
  const { low, high } = rows[1]!;
  assert.equal(low, 0);
  assert(Math.abs(Number(high) - 0.25 - 0.5) < 1e-12, "numpy.std([0, 0, 0, 1], ddof=1) is 0.5");
});

Deno.test("chart reward keeps the band of a log's right-or-wrong reward within 0 and 1, and no other", () => {
  const source = CHARTS.reward.sources[1]!;
  const ends = (reward: number, reward_std: number) => {
    const [row] = source.rows!([{ train_step: 1, reward, reward_std, phase: "rollout" }]);
    return [row!["low"], row!["high"], row!["phase"]];
  };
  assert.deepEqual(ends(0.8, 0.4), [0.4, 1, "rollout"]);
  assert.deepEqual(ends(0.8, 0.5), [0.30000000000000004, 1.3, "rollout"]);
  // 3 of 8 right, numpy.std(ddof=1) = sqrt(15/56)
  assert.deepEqual(ends(0.375, 0.5175), [0, 0.8925, "rollout"]);
  assert(Number(ends(0.45, 0.5175)[0]) < 0, "no share of eight");
  assert(Number(ends(0.375, 0.56)[0]) < 0, "no deviation of 0 and 1");
  assert(Number(ends(0.1, 0.31)[0]) < 0, "nor is 3 % more, which no count of completions gives");
});

Deno.test("chart reward has the median of its band: one wide train step does not flatten the rest", async () => {
  const metrics = Array.from(
    { length: 60 },
    (_, i) => ({ train_step: i + 1, reward: i / 60, reward_std: i === 30 ? 90 : 0.6 }),
  );
  const svg = await toSvg(chartSpec(CHARTS.reward, { metrics }), (text) => assert.fail(text));
  const ticks = Array.from(
    svg.slice(svg.indexOf('aria-label="Y-axis')).matchAll(/<text text-anchor="end"[^>]*>([-−\d.]+)<\/text>/g),
    ([, t]) => Number(t!.replace("−", "-")),
  );
  assert(Math.max(...ticks) <= 2 && Math.min(...ticks) >= -1, `${ticks}`);
  assert.match(svg, /area mark/);
});

Deno.test("chart reward shows the spread of one train step as a bar", async () => {
  const one = await toSvg(chartSpec(CHARTS.reward, { metrics: [{ train_step: 1, reward: 0.5, reward_std: 0.25 }] }));
  assert.match(one, /<line aria-label[^>]*stroke-width="6"/);
});

Deno.test("chart reward draws one function once, and it alone where there is no whole", () => {
  const labels = (row: object) =>
    CHARTS.reward.sources[1]!.rows!([{ train_step: 1, phase: "rollout", ...row }]).map(({ label }) => label);
  assert.deepEqual(labels({ reward: 1, "reward.verifier": 1 }), ["reward"]);
  assert.deepEqual(labels({ reward: null, "reward.verifier": 1 }), ["verifier"]);
  assert.deepEqual(labels({ reward: 1, "reward.verifier": 1, "reward.format": 0 }), ["reward", "verifier", "format"]);
});
