import assert from "node:assert/strict";
import { weightMetrics } from "../../../steps/corrections/weight_metrics.ts";

const near = (got: number | undefined, want: number) =>
  assert(Math.abs(got! - want) <= 1e-7 * Math.max(Math.abs(want), 1), `${got}, want ${want}`);

const ln = Math.log;
const rows = {
  raw: [[0.25, 4, 0], [1, 0, 0]],
  weights: [[0.25, 2, 0], [1, 0, 0]],
  logRatio: [[ln(0.25), ln(4), 0], [0, 0, 0]],
  mask: [[1, 1, 0], [1, 0, 0]],
};

Deno.test("weightMetrics() of tokens: what is applied, and how much was beyond the bounds", () => {
  const got = weightMetrics(rows, { level: "token", bounds: [null, 2] });
  near(got["mean"], 3.25 / 3);
  near(got["eff_sample_size"], 3.25 ** 2 / 3 / (0.0625 + 4 + 1));
  near(got["max"], 2);
  near(got["min"], 0.25);
  near(got["ratio_fraction_high"], 1 / 3);
  near(got["ratio_fraction_low"], 1 / 3); // below 1/2
  near(got["std"], Math.sqrt((0.0625 + 4 + 1) / 3 - (3.25 / 3) ** 2));
  near(got["seq_max_deviation"], 0.125);
  near(got["seq_fraction_high"], 0.5);
});

Deno.test("weightMetrics() of completions: extremes are those of the products before the bounds", () => {
  const got = weightMetrics({ ...rows, logRatio: [[ln(3), ln(4), 0], [0, 0, 0]] }, {
    level: "sequence",
    bounds: [0.5, 2],
  });
  near(got["max"], 12);
  near(got["min"], 1);
  near(got["ratio_fraction_high"], 0.5);
  near(got["ratio_fraction_low"], 0);
});

Deno.test("weightMetrics() refuses a rollout of which every weight is 0", () => {
  const nothing = { ...rows, weights: [[0, 0, 0], [0, 0, 0]] };
  assert.throws(
    () => weightMetrics(nothing, { level: "token", bounds: [0.9, 1.1] }),
    /every weight is 0, want some within the bounds 0.9 to 1.1; widen sampler_bounds/,
  );
});
