import assert from "node:assert/strict";
import { criticMetrics, type CriticUpdate } from "../../../steps/metrics/critic_metrics.ts";

const UPDATE: CriticUpdate = { loss: 1, gradNorm: 2, clipFraction: 0.5, learningRate: 0.1, applied: true };

Deno.test("criticMetrics() tells the foretold share of the returns' variance over the tokens that count", () => {
  const returns = [[0, 1, 99], [1, 2]], masks = [[1, 1, 0], [1, 1]];
  const of = (values: number[][]) => criticMetrics({ values, returns, masks }, [UPDATE]).value_explained_variance;
  assert.equal(of(returns), 1);
  assert.equal(of([[3, 3, 0], [3, 3]]), 0);
  assert.equal(of([[0, -1, 0], [-1, -2]]), -3);
  // A constant off every return is no error of foretelling.
  assert.equal(of([[5, 6, 0], [6, 7]]), 1);
  const { return_mean, return_std } = criticMetrics({ values: returns, returns, masks }, [UPDATE]);
  assert.deepEqual([return_mean, return_std], [1, Math.sqrt(0.5)]);
});

Deno.test("criticMetrics() has no explained variance where returns do not differ, and no clip fraction without a bound", () => {
  const rows = { values: [[0, 1]], returns: [[2, 2]], masks: [[1, 1]] };
  const metrics = criticMetrics(rows, [{ ...UPDATE, clipFraction: null }]);
  assert.deepEqual([metrics.value_explained_variance, metrics.value_clip_fraction], [null, null]);
  assert.equal(metrics.value_mean, 0.5);
});

Deno.test("criticMetrics() takes the mean over updates, the last learning rate, and counts what was not applied", () => {
  const rows = { values: [[0]], returns: [[0]], masks: [[1]] };
  const later = { loss: 3, gradNorm: 4, clipFraction: 0, learningRate: 0.2, applied: false };
  const metrics = criticMetrics(rows, [UPDATE, later]);
  assert.deepEqual(
    [metrics.value_loss, metrics.critic_grad_norm, metrics.value_clip_fraction, metrics.critic_learning_rate],
    [2, 3, 0.25, 0.2],
  );
  assert.equal(metrics.critic_non_finite, 1);
});
