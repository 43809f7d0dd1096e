import assert from "node:assert/strict";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { metricLook } from "../../notebooks/metric_look.ts";

Deno.test("metricLook() calls a metric as its chart does, and one without a chart by its name as words", () => {
  for (
    const [column, chart] of [
      ["reward", "reward"],
      ["grad_norm", "grad_norm"],
      ["truncated_fraction", "truncation"],
      ["zero_spread_fraction", "zero_spread"],
      ["accuracy", "accuracy"],
      ["advantage_mean", "advantage"],
      ["kl", "kl"],
    ] as const
  ) assert.equal(metricLook(column).title, CHARTS[chart].title);
  assert.deepEqual(
    ["advantage_std", "sampler_kl", "kl_max"].map((column) => metricLook(column).title),
    ["Advantages: standard deviation", "Sampler KL", "KL max"],
  );
  assert.deepEqual([metricLook("advantage_std").y, metricLook("ratio_mean").y], ["advantage", "ratio mean"]);
});

Deno.test("metricLook() has the room that a chart gives to noise, and a part of a fixed domain", () => {
  assert.equal(metricLook("entropy").span, 0.25);
  assert(metricLook("advantage_mean").span! > 1e-6);
  assert.equal(metricLook("accuracy").span, 0.05);
});
