import assert from "node:assert/strict";
import { z } from "zod";
import { type AdvantageBatch, defineAdvantage, groupTraits } from "../../../steps/advantages/advantage.ts";
import { estimate } from "../../../steps/advantages/estimate.ts";
import { type Advantage, ADVANTAGES } from "../../../steps/advantages/mod.ts";

Deno.test("defineAdvantage() gives back the estimator", () => {
  const method = { formula: "", source: "", names: {} };
  const advantage = { about: "", method, params: z.strictObject({}), minGroupSize: () => 1, advantages: () => [] };
  assert.equal(defineAdvantage(advantage), advantage);
});

const AS_IT_IS = { before: false, after: false };

Deno.test("groupTraits() says what penalties before and a clip or KL after the comparison take away", () => {
  const traits = (reshaped: typeof AS_IT_IS) => {
    const { compares_groups, sums_to_zero, follows_rewards } = groupTraits(
      ADVANTAGES.grpo as unknown as Advantage,
      {},
      reshaped,
    );
    return [compares_groups, sums_to_zero, follows_rewards];
  };
  assert.deepEqual(traits(AS_IT_IS), [true, true, true]);
  assert.deepEqual(traits({ before: false, after: true }), [true, false, true]);
  assert.deepEqual(traits({ before: true, after: false }), [true, true, false]);
});

/** A batch with what any estimator may need: constant, so that only the rewards set completions apart. */
function batchOf(
  rewards: readonly (number | null)[],
  groups: readonly number[],
  lengths: readonly number[],
): AdvantageBatch {
  const each = (value: number) => lengths.map((length) => new Float32Array(length).fill(value));
  return {
    rewards,
    groups,
    lengths,
    values: each(0.5),
    baselines: rewards.map(() => 0.5),
    logprobs: each(-1),
    logSumSquares: each(-1),
  };
}

for (const [name, entry] of Object.entries(ADVANTAGES)) {
  const advantage: Advantage = entry;

  Deno.test(`${name} orders a group as its rewards and is 0 for what is not scored`, () => {
    const batch = batchOf([0, 3, 1, null, 2, 2.5], [0, 0, 0, 0, 1, 1], [2, 2, 2, 4, 5, 5]);
    const { advantage: values } = estimate(advantage, advantage.params.parse({}), batch);
    assert(values[1]! > values[2]! && values[2]! >= values[0]! && values[5]! > values[4]!, String(values));
    assert.equal(values[3], 0);
    assert(values.every(Number.isFinite));
  });

  Deno.test(`${name} declares what a group is to it as its advantages are`, () => {
    for (const given of [{}, { baseline: true }, { finish: "tokens" }, { group_of_one: "zero" }]) {
      const { success, data } = advantage.params.safeParse(given);
      if (!success) continue;
      const values = (first: number) => {
        const batch = batchOf([first, 1, 3, 4], [0, 0, 1, 1], [1, 2, 3, 5]);
        return estimate(advantage, data, batch).advantage.map((value) => Math.abs(value) < 1e-9 ? 0 : value);
      };
      const [a, b, c, d] = values(0), alone = Math.abs(values(1)[0]!) <= 1e-4;
      const sums_to_zero = [a! + b!, c! + d!].every((sum) => Math.abs(sum) < 1e-6);
      const declared = groupTraits(advantage, data, AS_IT_IS);
      assert.equal(declared.sums_to_zero, sums_to_zero, JSON.stringify(given));
      // A group is compared where the others of a group decide what one of it gets.
      const far = estimate(advantage, data, batchOf([0, 9, 3, 4], [0, 0, 1, 1], [1, 1, 1, 1])).advantage;
      const near = estimate(advantage, data, batchOf([0, 9, 3, 4], [0, 1, 1, 0], [1, 1, 1, 1])).advantage;
      assert.equal(declared.compares_groups, far.some((value, row) => Math.abs(value - near[row]!) > 1e-9), name);
      if (declared.follows_rewards) {
        const rewards = [0.5, 3, 1, 2], lengths = [1, 6, 4, 2];
        const got = estimate(advantage, data, batchOf(rewards, [0, 0, 0, 0], lengths)).advantage;
        assert([0, 2, 3, 1].every((row, i, rows) => i === 0 || got[row]! >= got[rows[i - 1]!]!), String(got));
      }
      if (sums_to_zero) assert(alone, "a tied group teaches nothing");
    }
  });

  Deno.test(`${name} says its formula, its source, and what others call it`, () => {
    const { formula, source, names } = advantage.method;
    assert(formula.length > 5 && source.length > 5 && Object.values(names).every((text) => text.length > 5));
    assert.equal(
      advantage.perToken ?? false,
      estimate(advantage, advantage.params.parse({}), batchOf([1, 0], [0, 0], [1, 2])).tokens !== null,
    );
  });

  Deno.test(`${name}.params describes every option`, () => {
    for (const [option, schema] of Object.entries(advantage.params.shape)) {
      assert((schema as z.ZodType).description, option);
    }
  });
}
