import assert from "node:assert/strict";
import { rejection } from "../../../steps/corrections/rejection.ts";
import { rejectedShares, rejectionMetrics } from "../../../steps/corrections/rejection_metrics.ts";

const near = (got: number | undefined, want: number) =>
  assert(Math.abs(got! - want) <= 1e-7 * Math.max(Math.abs(want), 1), `${got}, want ${want}`);
const q = [[1, 2, 9], [3, 9, 9], [9, 9, 9]], mask = [[1, 1, 0], [1, 0, 0], [0, 0, 0]];

Deno.test("rejectedShares() counts tokens, completions that lost one, and those among completions with a token", () => {
  const shares = rejectedShares([[1, 0, 0], [1, 0, 0], [0, 0, 0]], mask);
  near(shares.tokens, 1 / 3);
  near(shares.completions, 1 / 3);
  near(shares.counted, 1 / 2);
});

Deno.test("rejectionMetrics() of a criterion of tokens, spread bounded by its threshold", () => {
  const got = rejectionMetrics(rejection("token_k2", { low: null, high: 1 }, q, mask), mask);
  near(got["mean"], (0.5 + 2 + 4.5) / 3);
  near(got["max"], 4.5);
  near(got["min"], 0.5);
  near(got["fraction_high"], 2 / 3);
  near(got["std"], Math.sqrt((0.25 + 1 + 1) / 3 - (2.5 / 3) ** 2));
  near(got["seq_mean"], (1.25 + 4.5) / 2);
  near(got["masked_fraction"], 2 / 3);
  near(got["seq_masked_fraction"], 1);
  assert.equal(got["seq_fraction_low"], undefined);
});

Deno.test("rejectionMetrics() of a criterion of completions has shares of completions", () => {
  const got = rejectionMetrics(rejection("seq_sum_k1", { low: -2.9, high: 1 }, q, mask), mask);
  near(got["max"], -3);
  near(got["fraction_low"], 1);
  near(got["seq_fraction_low"], 1);
  near(got["seq_std"], 0);
});
