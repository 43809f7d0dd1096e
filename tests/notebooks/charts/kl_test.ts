import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart kl draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("kl"), /train step/);
});

Deno.test("chart kl has the three estimators of the tokens that count", () => {
  const [source] = CHARTS.kl.sources;
  const rows = source.rows!([{
    train_step: 4,
    old_logprobs: [-1, -2, -9],
    ref_logprobs: [-1.5, -1, 0],
    completion_mask: [1, 1, 0],
  }]);
  // d = 0.5 and -1: k1 their mean, k2 half their squares, k3 exp(-d) - 1 + d (Schulman 2020)
  const want = [-0.25, (0.125 + 0.5) / 2, (Math.exp(-0.5) - 1 + 0.5 + Math.E - 1 - 1) / 2];
  assert.deepEqual(rows.map((row) => row["label"]), ["k1", "k2", "k3"]);
  rows.forEach((row, k) =>
    assert(Math.abs(Number(row["value"]) - want[k]!) < 1e-12, `${row["label"]} ${row["value"]}`)
  );
});

Deno.test("chart kl of preferences is in nats per completion, of rollouts per token", async () => {
  const axis = (phase: string) =>
    toSvg(chartSpec(CHARTS.kl, { metrics: [1, 2].map((train_step) => ({ train_step, kl: train_step, phase })) }));
  assert.match(await axis("preference"), />nats per completion</);
  assert.match(await axis("rollout"), />nats per token</);
});

Deno.test("chart kl has the printed KL of preferences beside the estimators of the rollouts that follow", async () => {
  const metrics = [1, 2, 3, 4].map((train_step) => ({
    train_step,
    phase: train_step < 3 ? "preference" : "rollout",
    kl: 0.25,
  }));
  const completions = [3, 4].map((train_step) => ({ train_step, old_logprobs: [-1], ref_logprobs: [-1.5] }));
  const spec = chartSpec(CHARTS.kl, { metrics, completions });
  const { values } = spec["data"] as { values: Record<string, unknown>[] };
  const of = (phase: string) => [...new Set(values.filter((row) => row["phase"] === phase).map((row) => row["label"]))];
  assert.deepEqual(of("preferences"), ["kl"]);
  assert.deepEqual(of("reinforcement"), ["k1", "k2", "k3"]);
  assert.match(await toSvg(spec, (text) => assert.fail(text)), />preferences<[^]*>reinforcement</);
});
