/** Whether groups have spread, from every source a log may have. */
import assert from "node:assert/strict";
import { flatGroupShare, groupsOf, shareAt, spreadOf, spreadSummary } from "../../../../steps/diagnoses/view/spread.ts";
import { viewOfPost } from "../told/view_of_post.ts";
import { group, viewOf } from "../synthetic.ts";

const one = (columns: Record<string, (number | null)[]>, scope?: "group" | "batch") => {
  const { flat, share } = spreadOf(viewOf({ columns, scope }));
  return [flat[0], share[0]];
};

Deno.test("spreadOf() trusts the printed share first", () =>
  assert.deepEqual(one({ zero_spread_fraction: [0.25], reward_std: [0] }), [false, 0.25]));

Deno.test("spreadOf() calls a record flat only where every group ties", () => {
  assert.deepEqual(one({ zero_spread_fraction: [0.9] }), [false, 0.9]);
  assert.deepEqual(one({ zero_spread_fraction: [1] }), [true, 1]);
});

Deno.test("spreadOf() knows that a batch deviation above 0 proves nothing and 0 everything", () => {
  assert.deepEqual(one({ reward_std: [0.4] }, "batch"), [null, null]);
  assert.deepEqual(one({ reward_std: [0] }, "batch"), [true, 1]);
  assert.deepEqual(one({ reward_std: [0.4] }, "group"), [false, null]);
});

Deno.test("spreadOf() takes a deviation of rounding size for none", () => {
  assert.deepEqual(one({ reward: [0.7], reward_std: [6e-8], zero_spread_fraction: [0] }), [true, 1]);
  assert.deepEqual(one({ reward: [0.7], reward_std: [0.01], zero_spread_fraction: [0] }), [false, 0]);
  const large = (reward: number) => one({ reward: [reward], reward_std: [5e-5], zero_spread_fraction: [0] });
  assert.deepEqual([100, -100, 1].map(large), [[true, 1], [true, 1], [false, 0]], "rounding grows with the reward");
});

Deno.test("spreadOf() reads verl's extremes", () => {
  assert.deepEqual(one({ advantage_min: [0], advantage_max: [0] }), [true, 1]);
  assert.deepEqual(one({ advantage_min: [-1.2], advantage_max: [1.8] }), [false, null]);
  assert.deepEqual(one({ reward_min: [-1], reward_max: [-1] }), [true, 1]);
  assert.deepEqual(one({ reward_min: [0], reward_max: [1] }), [null, null]);
});

Deno.test("spreadSummary() counts spread of unknown size as share 0", () => {
  const { share, flat, spread } = spreadSummary(viewOf({ columns: { group_reward_std: [0, 0.2, 0, 0.1] } }));
  assert.deepEqual([share, flat, spread], [0.5, [0, 2], [1, 3]]);
});

Deno.test("groupsOf() and flatGroupShare() go by train step and prompt", () => {
  const completions = [...group("a", ["x", "y"], [1, 1]), ...group("b", ["x", "y"], [1, 0])];
  assert.equal(groupsOf(completions).length, 2);
  const again = completions.map((row) => ({ ...row, trainStep: 2 }));
  assert.equal(groupsOf([...completions, ...again]).length, 4, "a prompt that comes again is another group");
  assert.equal(flatGroupShare(viewOf({ completions })), 0.5);
});

Deno.test("spreadOf() takes a mean that never moves for flat, from five records on", () => {
  assert.deepEqual(one({ reward: [0, 0, 0, 0, 0] }), [true, 1]);
  assert.deepEqual(one({ reward: [0, 0, 0] }), [null, null]);
  assert.deepEqual(one({ reward: [0, 0, 0, 0, 0.01] }), [null, null]);
});

Deno.test("spreadOf() trusts many printed groups that all tie more than a share spoiled by rounding", () => {
  const completions = (last: number) =>
    Array.from({ length: 16 }, (_, i) => group(`${i}`, ["x", "y"], i === 15 ? [0.3, last] : [0.3, 0.3])).flat();
  const share = (last: number) =>
    spreadOf(viewOf({ columns: { zero_spread_fraction: [0.25], reward: [0.3] }, completions: completions(last) }))
      .share;
  assert.deepEqual(share(0.3), [1]);
  assert.deepEqual(share(0.4), [0.25]);
});

Deno.test("shareAt() takes the printed share, else all or none", () => {
  const spread = { flat: [true, true, false, null], share: [0.9, null, null, null], from: [] };
  assert.deepEqual(spread.flat.map((_, record) => shareAt(spread, record)), [0.9, 1, 0, 0]);
});

Deno.test("spreadOf() believes sixteen groups that tie more than a printed share of a half, fifteen not", () => {
  const of = (groups: number) => {
    const completions = Array.from({ length: groups }, (_, i) => group(`question ${i}`, ["a", "b"], [0.3, 0.3])).flat();
    return spreadOf(viewOf({ columns: { reward: [0.3], zero_spread_fraction: [0.5] }, completions })).flat;
  };
  assert.deepEqual([of(15), of(16)], [[false], [true]]);
});

Deno.test("spreadOf() takes a mean that is told for rounded, unless it is 0 or 1", async () => {
  const told = async (reward: string) => {
    const { flat } = spreadOf(await viewOfPost(`GRPO: the reward stays at ${reward} for 400 steps. Why?`));
    return flat.every((cell) => cell === true);
  };
  assert.deepEqual(await Promise.all(["0.31", "0", "1.0"].map(told)), [false, true, true]);
});
