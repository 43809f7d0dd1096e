/** Metrics that stand still to the last digit: told, and where they decide no run is called healthy. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { frozen } from "../../../../steps/diagnoses/view/frozen.ts";
import { healthyRuns, longRun } from "../long_run.ts";
import { flat, healthyBut, ramp, type Run, viewOf } from "../synthetic.ts";

const said = (run: Run) => frozen(viewOf(run)).map(({ isGrave, says }) => [isGrave, says.split(" ")[0]]);
/** Values that move for ten records and then stand still. */
const stuck = (value: number, cells = ramp(0.3, 0.5, 10)) => [...cells, ...flat(value, 20)];

Deno.test("frozen() tells of a loss, a reward or a gradient that is one value to the end", () => {
  assert.deepEqual(said(healthyBut({ loss: stuck(0.123) })), [[true, "loss"]]);
  assert.deepEqual(said(healthyBut({ reward: stuck(0.37), "reward.accuracy_reward": [] })), [[true, "reward"]]);
  assert.deepEqual(said(healthyBut({ loss: flat(Math.LN2) })), [[true, "loss"]]);
  assert.deepEqual(said(healthyBut({ grad_norm: flat(1), entropy: flat(0) })), [[false, "grad_norm"], [
    false,
    "entropy",
  ]]);
  assert.deepEqual(said(healthyBut({ completion_length: flat(0) })), [[false, "completion_length"]]);
});

Deno.test("frozen() tells of nothing that is one value by itself", () => {
  for (
    const run of [
      healthyBut({ loss: flat(0), kl: flat(0) }),
      healthyBut({ loss: [...ramp(0.3, 0.5, 11), ...flat(0.123, 19)] }),
      healthyBut({ completion_length: flat(5) }),
      healthyBut({ loss: flat(1e-4) }, { decimals: { loss: 4 } }),
      // Filled up between two records, as trackers export them.
      healthyBut({ loss: [...ramp(0.3, 0.5, 10).map((_, i) => Math.floor(i / 5)), ...flat(0.123, 20)] }),
      // All are right, or every group ties.
      healthyBut({ reward: stuck(1), "reward.accuracy_reward": [], zero_spread_fraction: [], reward_std: [] }),
      healthyBut({ reward: stuck(0.5), "reward.accuracy_reward": [], zero_spread_fraction: flat(1) }),
      healthyBut({ loss: stuck(0.123) }, { own: true }),
      ...healthyRuns(12),
    ]
  ) assert.deepEqual(said(run), []);
});

Deno.test("frozen() tells of a score that is the same in all evaluations while the reward rises", () => {
  const run = (values: readonly number[], more: Parameters<typeof longRun>[0] = {}) =>
    longRun(more, { evaluations: { accuracy: values }, evaluationSteps: values.map((_, i) => 40 * (i + 1)) });
  assert.deepEqual(said(run(flat(0.3125, 7) as number[])), [[true, "eval_accuracy"]]);
  for (const silent of [flat(0.3125, 5), flat(1, 7), ramp(0.3, 0.4, 7)]) {
    assert.deepEqual(said(run(silent as number[])), []);
  }
  assert.deepEqual(said(run(flat(0.3125, 7) as number[], { reward: ramp(0.5, 0.5, 300) })), []);
});

Deno.test("a run with a frozen loss is not called healthy, one with a frozen gradient norm is told so", () => {
  const loss = diagnoseRun(viewOf(healthyBut({ loss: stuck(0.123) })));
  assert.equal(loss.verdict, "insufficient");
  assert.match(loss.reasons[0]!, /loss is 0.123 to the last digit on the last 20 of 30 records/);
  const gradient = diagnoseRun(viewOf(healthyBut({ grad_norm: flat(1) })));
  assert.equal(gradient.verdict, "benign");
  assert(gradient.reasons.some((reason) => /^grad_norm is 1 to the last digit/.test(reason)));
});
