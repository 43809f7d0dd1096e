import assert from "node:assert/strict";
import { groupMoments, NO_SPREAD, uniqueFraction, zeroSpreadFraction } from "../../../data/statistics/group_spread.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { RunView } from "../../../steps/diagnoses/view/run_view.ts";
import { spreadOf } from "../../../steps/diagnoses/view/spread.ts";
import { flat } from "../../steps/diagnoses/synthetic.ts";

Deno.test("groupMoments() collects members that are not adjacent", () => {
  assert.deepEqual(groupMoments([1, 10, 3, 30], [0, 1, 0, 1]).map(({ mean }) => mean), [2, 20]);
});

Deno.test("zeroSpreadFraction() is the share of all groups whose scored rewards are equal, at least two of them", () => {
  assert.equal(zeroSpreadFraction([1, 1, 0, 1], [0, 0, 1, 1]), 0.5);
  assert.equal(zeroSpreadFraction([1, 1, 0, 1, 5, null, null, null], [0, 0, 1, 1, 2, 2, 3, 3]), 1 / 4);
  assert.equal(zeroSpreadFraction([null, 1, 2, null], [0, 0, 1, 1]), 0, "one scored completion is no equal group");
  assert.equal(zeroSpreadFraction([null, null], [0, 0]), null);
});

Deno.test("zeroSpreadFraction() takes float noise for equal, and NaN for different", () => {
  assert.equal(zeroSpreadFraction([0.3, 0.1 + 0.2, 0.3, 0.4], [0, 0, 1, 1]), 0.5);
  assert.equal(zeroSpreadFraction([0, 1e-6], [0, 0]), 0);
  assert.equal(zeroSpreadFraction([NaN, NaN], [0, 0]), 0);
});

Deno.test("uniqueFraction() is 1/G for identical and 1 for different completions", () => {
  assert.equal(uniqueFraction(["a", "a", "a", "a"], [0, 0, 0, 0]), 0.25);
  assert.equal(uniqueFraction(["a", "b", "a", "a"], [0, 0, 1, 1]), 0.75);
  assert.equal(uniqueFraction([], []), null);
});

Deno.test("NO_SPREAD holds every threshold of zero spread: of rewards, printed deviations and advantages, and groups", () => {
  assert.deepEqual(NO_SPREAD, { rewards: 1e-8, deviation: 1e-9, printed: 1e-6, groups: 0.8 });
  assert.equal(zeroSpreadFraction([0, 1e-8, 0, 2e-8], [0, 0, 1, 1]), 0.5);
  const records = 20;
  const column = (name: string, value: number, more = {}) =>
    new RunView({
      imported: true,
      trainSteps: flat(1, records) as number[],
      columns: new Map([[name, flat(value, records)], ...Object.entries(more) as [string, number[]][]]),
    });
  const isFlat = (...given: Parameters<typeof column>) => spreadOf(column(...given)).flat[0];
  assert.deepEqual([1e-9, 1e-8].map((value) => isFlat("group_reward_std", value)), [true, false]);
  const high = (value: number) => isFlat("advantage_max", value, { advantage_min: flat(0, records) });
  assert.deepEqual([1e-6, 1e-5].map(high), [true, false]);
  const tied = (share: number) => DIAGNOSES.zero_reward_variance.check(column("zero_spread_fraction", share)) !== null;
  assert.deepEqual([0.8, 0.85].map(tied), [false, true]);
});
