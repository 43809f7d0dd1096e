/** What a run wants and what it is paid for. @module */
import assert from "node:assert/strict";
import { termsOf, trend } from "../../../../steps/diagnoses/view/terms.ts";
import { change } from "../../../../steps/diagnoses/view/numbers.ts";
import { noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("termsOf() takes what names the goal outright for it, and the total for what is paid", () => {
  const columns = {
    reward: [1, 1.5, 2, 2],
    "reward.accuracy": [0.5, 0.5, 0.25, 0],
    "reward.evidence_reward": [0.5, 1, 1.75, 2],
  };
  const { goals, proxies, records } = termsOf(viewOf({ columns }));
  assert.deepEqual(goals.map(({ column }) => column), ["reward.accuracy"]);
  assert.deepEqual(proxies.map(({ column }) => column), ["reward.evidence_reward", "reward"]);
  assert.equal(records, 4);
  assert.equal(goals[0]!.by, -0.5);
});

Deno.test("trend() tells the change from the first quarter to the last in standard errors", () => {
  const { from, to, by, sigma } = trend("a", "a", [0, 2, 1, 1, 1, 1, 4, 6]);
  // First quarter 0 and 2, last 4 and 6: deviation √2 each, so the error is √(2/2 + 2/2).
  assert.deepEqual([from, to, by], [1, 5, 4]);
  assert.ok(Math.abs(sigma - 4 / Math.SQRT2) < 1e-12);
});

Deno.test("trend() of values that wander is less sure than what its quarters scatter by", () => {
  let less = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const values = noisy(() => 0.5, 0.1, { seed, memory: 0.95 }), { by, error } = change(values);
    if (Math.abs(trend("reward", "reward", values).sigma) < 0.7 * Math.abs(by / error)) less++;
  }
  assert(less >= 18, String(less));
});
