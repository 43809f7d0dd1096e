import assert from "node:assert/strict";
import { table } from "arquero";
import { emptyTable } from "../../../data/tables/mod.ts";
import { moments, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import { groupMoments } from "../../../data/statistics/mod.ts";
import { filterMetrics } from "../../../steps/metrics/filter_metrics.ts";

const rewards = [[1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0], [0.3, 0.1, 0, 0.2]];
const perGroup = rewards.map(moments);
const groups = table({
  generation_batch: [1, 1, 2, 2],
  completions: [4, 4, 4, 4],
  reward: perGroup.map(({ mean }) => mean),
  reward_std: perGroup.map(({ std }) => std),
  reward_spread: perGroup.map(({ spread }) => spread),
  pass_rate: [0.5, 1, 0, 0],
  passed: [true, false, false, true],
});
const completions = table({ replayed_from: [null, null, 3, 3] });

Deno.test("filterMetrics() are those of all completions that were sampled, before the filter", () => {
  const all = rewards.flat(), numbers = all.map((_, i) => Math.floor(i / 4));
  const got = filterMetrics(groups, completions);
  const near = (name: string, want: number) =>
    assert(Math.abs(got[name]! - want) < 1e-12, `${name}: ${got[name]}, want ${want}`);
  near("reward", moments(all).mean);
  near("reward_std", moments(all).std);
  near("group_reward_std", moments(groupMoments(all, numbers).map(({ std }) => std)).mean);
  near("zero_spread_fraction", zeroSpreadFraction(all, numbers)!);
  near("accuracy", 0.375);
  near("filtered_fraction", 0.5);
  near("generation_batches", 2);
  near("replayed_fraction", 0.5);
});

Deno.test("filterMetrics() without a filter change nothing and say so", () => {
  assert.deepEqual(filterMetrics(emptyTable("groups"), completions), {
    filtered_fraction: null,
    generation_batches: null,
    replayed_fraction: null,
  });
});

Deno.test("filterMetrics() of groups without a verdict or a reward have none", () => {
  const nothing = table({
    generation_batch: [1],
    completions: [4],
    reward: [null],
    reward_std: [null],
    reward_spread: [null],
    pass_rate: [null],
    passed: [false],
  });
  const { reward, accuracy, zero_spread_fraction, replayed_fraction } = filterMetrics(nothing, table({ sample: [0] }));
  assert.deepEqual([reward, accuracy, zero_spread_fraction, replayed_fraction], [null, null, null, 0]);
});
