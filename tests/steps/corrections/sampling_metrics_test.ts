import assert from "node:assert/strict";
import { samplingMetrics } from "../../../steps/corrections/sampling_metrics.ts";

const old = [[-1, -2, -3], [-1, -9, -9]], sampler = [[-1.5, NaN, -1], [-1.25, -1, -1]], mask = [[1, 1, 0], [1, 0, 0]];

Deno.test("samplingMetrics() leaves out what the sampler did not say, and tokens that do not count", () => {
  assert.deepEqual(samplingMetrics(old, sampler, mask, [[2, 1, 9], [0.5, 9, 9]], "token"), {
    differenceMean: 0.375,
    differenceMax: 0.5,
    ratioMin: 0.5,
    ratioMean: 3.5 / 3,
    ratioMax: 2,
  });
  assert.equal(samplingMetrics(old, sampler, mask, [[3, 3, 3], [1, 1, 1]], "sequence").ratioMean, 2);
});

Deno.test("samplingMetrics() of nothing is 0", () => {
  assert.equal(samplingMetrics([[-1]], [[-2]], [[0]], [[1]], "token").differenceMax, 0);
});
