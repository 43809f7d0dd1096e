import assert from "node:assert/strict";
import { table } from "arquero";
import { firstGroups, judgeGroups, KEEP } from "../../../steps/groups/judge.ts";

const completions = table({
  prompt_id: [4, 4, 9, 9, 2, 2],
  sample: [0, 1, 0, 1, 0, 1],
  reward: [1, 0, 0.5, 0.5, null, 1],
  correct: [true, false, true, true, null, null],
  "reward.format": [0, 0, 1, 0, 1, 0],
});
const passed = (keep: keyof typeof KEEP, metric = "reward", range: [number, number] = [0, 1]) =>
  judgeGroups(completions, metric, keep, range).map((group) => group.passed);

Deno.test("judgeGroups() keeps groups with spread, with a mean between bounds, or all", () => {
  assert.deepEqual(passed("spread"), [true, false, false]); // one scored completion has no spread
  assert.deepEqual(passed("range"), [true, true, false]); // the mean 1 of the last is at the bound
  assert.deepEqual(passed("range", "correct"), [true, false, false]);
  assert.deepEqual(passed("spread", "format"), [false, true, true]);
  assert.deepEqual(passed("all"), [true, true, true]);
});

Deno.test("judgeGroups() tells rewards and pass rates of every group, kept or not", () => {
  const groups = judgeGroups(completions, "reward", "spread", [0, 1]);
  assert.deepEqual(groups.map(({ promptId, passRate }) => [promptId, passRate]), [[4, 0.5], [9, 1], [2, null]]);
  assert.deepEqual(groups.map(({ reward }) => [reward.count, reward.mean, reward.spread]), [[2, 0.5, 1], [2, 0.5, 0], [
    1,
    1,
    0,
  ]]);
});

Deno.test("judgeGroups() refuses a metric that no reward has", () => {
  assert.throws(() => passed("spread", "acc"), /Cannot filter groups by "acc": table "completions" has no such reward/);
});

Deno.test("firstGroups() gives the rows of the first groups", () => {
  assert.deepEqual(firstGroups(completions, 2), [0, 1, 2, 3]);
});

Deno.test("each rule says what it keeps and what others call it", () => {
  assert.match(KEEP.spread.method.names.verl, /filter_groups/);
  assert.match(KEEP.range.method.names.openrlhf, /dynamic_filtering_range 0 1/);
});
